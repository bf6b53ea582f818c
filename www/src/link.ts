/**
 * The link to the host: starts it in a worker or in the page, starts it again when it dies, and asks once more
 * what was pending then.
 *
 * A trap leaves a wasm module in no defined state, so nothing of a host is used after one: the worker is
 * terminated. Documents lose nothing by that, they are in the database.
 */

import { workerUrl } from "./assets.js";
import { QuerentError } from "./errors.js";
import { Connection, type CallOptions, type HostInfo, type HostOptions, type Input, type OperationName, type Output, type Port } from "./protocol.js";
import type { QuerentEvent } from "./types.js";

/** A running host, and how to end it. */
export interface Running {
  port: Port;
  end(): void;
  /** Calls back when the host dies by itself; `started` says whether it had ever run. */
  onDeath(listener: (reason: string) => void): void;
}

/** How a link is to behave. */
export interface LinkSettings {
  /** What every new host is told first. */
  host: HostOptions;
  start: Start;
  onEvent: (event: QuerentEvent) => void;
  /** Milliseconds of silence after which a host that was asked something counts as dead. */
  patience: number;
}

/** Starts a host; `attempt` counts from 0. Tests give one of their own. */
export type Start = (attempt: number) => Promise<Running>;

interface Session {
  connection: Connection;
  running: Running;
  info: HostInfo;
}

/** A host that is there whenever it is asked. */
export class Link {
  readonly #settings: LinkSettings;
  #session: Promise<Session> | undefined;
  #attempts = 0;
  #closed = false;

  constructor(settings: LinkSettings) {
    this.#settings = settings;
  }

  /** Starts the host if it does not run. */
  async ready(): Promise<HostInfo> {
    return (await this.#running()).info;
  }

  /** Asks the host; when it dies over that, a new one is asked once more. */
  async call<K extends OperationName>(type: K, input: Input<K>, options?: CallOptions): Promise<Output<K>> {
    try {
      return await this.#ask(type, input, options);
    } catch (thrown) {
      const error = QuerentError.from(thrown);
      if (error.code !== "crashed" || this.#closed || options?.signal?.aborted) throw error;
      return await this.#ask(type, input, options);
    }
  }

  /** Ends the host; everything pending and to come is rejected with `destroyed`. */
  close(): void {
    this.#closed = true;
    const session = this.#session;
    this.#session = undefined;
    session?.then(
      ({ connection, running }) => {
        connection.fail(destroyed());
        running.end();
      },
      () => undefined,
    );
  }

  async #ask<K extends OperationName>(type: K, input: Input<K>, options?: CallOptions): Promise<Output<K>> {
    const session = this.#running();
    const { connection } = await session;
    try {
      return await connection.call(type, input, options);
    } catch (thrown) {
      const error = QuerentError.from(thrown);
      if (error.code === "crashed") await this.#discard(session, error);
      throw error;
    }
  }

  #running(): Promise<Session> {
    if (this.#closed) return Promise.reject(destroyed());
    if (this.#session) return this.#session;
    const session = this.#open();
    this.#session = session;
    session.catch(() => {
      if (this.#session === session) this.#session = undefined;
    });
    return session;
  }

  async #open(): Promise<Session> {
    const { host, start, onEvent, patience } = this.#settings;
    const attempt = this.#attempts++;
    const running = await start(attempt);
    const connection = new Connection(running.port, (event) => event.type !== "ready" && onEvent(event), patience);
    running.onDeath((reason) => connection.fail(new QuerentError("crashed", `the search worker died: ${reason}`)));
    try {
      const info = await connection.call("init", host);
      if (this.#closed) throw destroyed();
      if (attempt > 0) onEvent({ type: "restarted" });
      return { connection, running, info };
    } catch (thrown) {
      running.end();
      throw thrown;
    }
  }

  async #discard(dead: Promise<Session>, error: QuerentError): Promise<void> {
    if (this.#session === dead) this.#session = undefined;
    const { connection, running } = await dead;
    connection.fail(error);
    running.end();
  }
}

function destroyed(): QuerentError {
  return new QuerentError("destroyed", "this Querent was destroyed; call Querent.init again");
}

/** Milliseconds after which a worker that says nothing counts as forbidden. */
const START_PATIENCE_MS = 15_000;

/** Starts hosts in workers, and in the page when the browser or its policy forbids workers. */
export function browserStart(useWorker: boolean): Start {
  let inPage = !useWorker;
  return async (attempt) => {
    if (!inPage) {
      try {
        return await startWorker();
      } catch {
        inPage = true;
      }
    }
    return await startInPage(attempt);
  };
}

function startWorker(): Promise<Running> {
  const worker = new Worker(workerUrl(), { type: "module", name: "querent" });
  return new Promise((resolve, reject) => {
    let died: (reason: string) => void = reject;
    const timer = setTimeout(() => died("it did not start"), START_PATIENCE_MS);
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      clearTimeout(timer);
      worker.terminate();
      died(event.message || "its script could not be loaded");
    });
    worker.addEventListener(
      "message",
      () => {
        clearTimeout(timer);
        resolve({ port: worker, end: () => worker.terminate(), onDeath: (listener) => (died = listener) });
      },
      { once: true },
    );
  });
}

async function startInPage(attempt: number): Promise<Running> {
  const url = workerUrl();
  // Another address gives another instance of the module, and with it of the wasm: the old one may be broken.
  if (attempt > 0) url.searchParams.set("attempt", String(attempt));
  const { serveHost } = (await import(/* @vite-ignore */ url.href)) as typeof import("./worker.js");
  const { port1, port2 } = new MessageChannel();
  const endHost = serveHost(port2);
  port1.start();
  port2.start();
  return { port: port1, end: () => (endHost(), port1.close(), port2.close()), onDeath: () => undefined };
}
