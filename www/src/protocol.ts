/**
 * The worker protocol, both ends of it.
 *
 * Every message carries an id. A request is answered once: by `answer` or by `error`, with any number of
 * `progress` messages before. `cancel` carries the id of the request that nobody waits for any more; that
 * request is answered with the error `aborted`. `event` messages belong to no request and carry id 0. When the
 * other end dies, everything pending is rejected. A worker can die without a word, so an end that waits pings
 * the other, and takes long silence for death.
 *
 * Both ends talk through a [`Port`], which a worker, a worker's global scope and a `MessagePort` all are: the
 * same host serves from a worker and, where workers are forbidden, from the page itself.
 */

import { QuerentError } from "./errors.js";
import type { LocalDocument, ModelState, Progress, QuerentEvent, QuerentStats, SearchRequest, SearchResponse } from "./types.js";

/** What can be asked of a host: the input and the output of each request. */
export interface Operations {
  init: { input: HostOptions; output: HostInfo };
  search: { input: { request: SearchRequest; semantic: boolean }; output: SearchResponse };
  rerank: { input: { request: SearchRequest; semantic: boolean; budget: number }; output: SearchResponse };
  addDocument: { input: { path: string; bytes: Uint8Array }; output: LocalDocument };
  removeDocument: { input: { path: string }; output: boolean };
  original: { input: { path: string }; output: Uint8Array | undefined };
  forget: { input: undefined; output: undefined };
  documents: { input: undefined; output: LocalDocument[] };
  stats: { input: undefined; output: QuerentStats };
  loadModel: { input: undefined; output: ModelState };
  download: { input: undefined; output: number };
  /** Answered at once by a host that lives. */
  ping: { input: undefined; output: undefined };
}

/** What a host needs to know before anything else. */
export interface HostOptions {
  base: string;
  index: boolean;
  database: string;
  /** Address of the cross-encoder's pack, where there is one. */
  reranker?: string;
}

/** What a host says about itself once its index is mounted. */
export interface HostInfo {
  modelState: ModelState;
  documents: number;
}

/** Something happened that nobody asked for. `ready` is the first message of every host. */
export type HostEvent = { type: "ready" } | Exclude<QuerentEvent, { type: "restarted" }>;

export type OperationName = keyof Operations;
export type Input<K extends OperationName> = Operations[K]["input"];
export type Output<K extends OperationName> = Operations[K]["output"];

/** A request, as one member of a discriminated union. */
export type Request = { [K in OperationName]: { id: number; type: K; input: Input<K> } }[OperationName];
/** Everything that a host receives. */
export type ToHost = Request | { id: number; type: "cancel" };
/** Everything that a host sends. */
export type FromHost =
  | { id: number; type: "answer"; output: Output<OperationName> }
  | { id: number; type: "error"; code: string; message: string }
  | { id: number; type: "progress"; progress: Progress }
  | { id: 0; type: "event"; event: HostEvent };

/** One end of a connection. */
export interface Port {
  postMessage(message: ToHost | FromHost, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

/** What goes with a call besides its input. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

interface Pending {
  resolve(output: Output<OperationName>): void;
  reject(error: QuerentError): void;
  onProgress: ((progress: Progress) => void) | undefined;
}

/** Ticks of silence that make a host dead; the first one pings. */
const TICKS = 4;

/** The asking end. */
export class Connection {
  readonly #port: Port;
  readonly #onEvent: (event: HostEvent) => void;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #dead: QuerentError | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;
  #silentTicks = 0;
  readonly #patience: number;

  /** @param patience milliseconds of silence, while something is pending, after which the host counts as dead */
  constructor(port: Port, onEvent: (event: HostEvent) => void, patience: number) {
    this.#port = port;
    this.#onEvent = onEvent;
    this.#patience = patience;
    port.addEventListener("message", (event) => this.#receive(event.data as FromHost));
  }

  /** Asks, and resolves with the answer. */
  call<K extends OperationName>(type: K, input: Input<K>, options: CallOptions = {}): Promise<Output<K>> {
    const { signal } = options;
    if (this.#dead) return Promise.reject(this.#dead);
    if (signal?.aborted) return Promise.reject(aborted());
    const id = ++this.#lastId;
    return new Promise<Output<K>>((resolve, reject) => {
      const cancel = () => {
        if (this.#pending.has(id)) this.#port.postMessage({ id, type: "cancel" }, []);
      };
      signal?.addEventListener("abort", cancel, { once: true });
      const settled = () => signal?.removeEventListener("abort", cancel);
      this.#pending.set(id, {
        // The union of all outputs narrows to this operation's: the host answers an id with its own operation.
        resolve: (output) => (settled(), resolve(output as Output<K>)),
        reject: (error) => (settled(), reject(error)),
        onProgress: options.onProgress,
      });
      this.#port.postMessage({ id, type, input } as Request, []);
      this.#watch ??= setInterval(() => this.#tick(), this.#patience / TICKS);
    });
  }

  /** Rejects everything that is pending, and everything asked from now on. */
  fail(error: QuerentError): void {
    if (this.#dead) return;
    this.#dead = error;
    this.#rest();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
  }

  /** Counted in ticks and not by the clock, because a machine that slept was not silent. */
  #tick(): void {
    if (this.#pending.size === 0) return this.#rest();
    this.#silentTicks += 1;
    if (this.#silentTicks === 1) this.call("ping", undefined).catch(() => undefined);
    if (this.#silentTicks < TICKS) return;
    this.fail(new QuerentError("crashed", `the search worker said nothing for ${this.#patience} ms`));
  }

  #rest(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#silentTicks = 0;
  }

  #receive(message: FromHost): void {
    this.#silentTicks = 0;
    if (message.type === "event") return this.#dead ? undefined : this.#onEvent(message.event);
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    if (message.type === "progress") return pending.onProgress?.(message.progress);
    this.#pending.delete(message.id);
    if (message.type === "answer") pending.resolve(message.output);
    else pending.reject(new QuerentError(message.code, message.message));
  }
}

/** What a handler may use while it works on a request. */
export interface Context {
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
  progress(progress: Progress): void;
}

/** One function per operation. */
export type Handlers = { [K in OperationName]: (input: Input<K>, context: Context) => Promise<Output<K>> };

/** The answering end: answers every request on `port` by `handlers`. Returns the function that sends events. */
export function serve(port: Port, handlers: Handlers): (event: HostEvent) => void {
  const running = new Map<number, AbortController>();
  const send = (message: FromHost) => port.postMessage(message, []);

  const run = <K extends OperationName>(request: { type: K; input: Input<K> }, context: Context) =>
    handlers[request.type](request.input, context);

  const answer = async (request: Request) => {
    const { id } = request;
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const output = await run(request, {
        signal: controller.signal,
        progress: (progress) => send({ id, type: "progress", progress }),
      });
      send(controller.signal.aborted ? { id, type: "error", ...wire(aborted()) } : { id, type: "answer", output });
    } catch (thrown) {
      send({ id, type: "error", ...wire(QuerentError.from(thrown)) });
    } finally {
      running.delete(id);
    }
  };

  port.addEventListener("message", (event) => {
    const message = event.data as ToHost;
    if (message.type === "cancel") running.get(message.id)?.abort();
    else void answer(message);
  });
  send({ id: 0, type: "event", event: { type: "ready" } });
  return (event) => send({ id: 0, type: "event", event });
}

function aborted(): QuerentError {
  return new QuerentError("aborted", "the request was given up because a newer one replaced it");
}

function wire(error: QuerentError): { code: string; message: string } {
  return { code: error.code, message: error.message };
}
