/**
 * The one error that Querent's JavaScript throws. `code` is stable and meant for programs, `message` is for
 * people and says what to do.
 */

/** Codes made on this side; the engine adds its own (`manifest`, `version`, `checksum`, `model-mismatch`...). */
export type ErrorCode = "aborted" | "crashed" | "destroyed" | "fetch" | "no-model" | "stuck" | "internal" | (string & {});

/** An error with a stable code. */
export class QuerentError extends Error {
  /** What went wrong, for programs. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = "QuerentError";
    this.code = code;
  }

  /** Whatever was thrown, as a `QuerentError`. A trap of the wasm code becomes `crashed`. */
  static from(thrown: unknown): QuerentError {
    if (thrown instanceof QuerentError) return thrown;
    if (thrown instanceof WebAssembly.RuntimeError) {
      return new QuerentError("crashed", `the search engine stopped: ${thrown.message}`);
    }
    if (thrown instanceof Error) {
      const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : "internal";
      return new QuerentError(code, thrown.message);
    }
    return new QuerentError("internal", String(thrown));
  }
}

/** Throws `aborted` when `signal` says so. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new QuerentError("aborted", "the request was given up because a newer one replaced it");
}
