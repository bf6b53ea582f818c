/** A host that follows a script, on the other end of a message channel. */

import { QuerentError } from "../src/errors.js";
import type { Running, Start } from "../src/link.js";
import { serve, type Handlers, type HostEvent } from "../src/protocol.js";
import type { Hit, SearchRequest, SearchResponse } from "../src/types.js";

export function hit(path: string, change: Partial<Hit> = {}): Hit {
  const base: Hit = {
    rank: 1,
    path,
    url: path,
    title: path,
    heading: path,
    headingPath: [path],
    score: 1,
    excerpt: "",
    highlights: [],
    sections: [],
    duplicates: [],
    metadata: {},
  };
  return { ...base, ...change };
}

export function response(request: SearchRequest, paths: string[]): SearchResponse {
  const hits = paths.map((path, index) => hit(path, { rank: index + 1 }));
  return { query: request.query ?? "", mode: request.mode ?? "hybrid", hits, total: hits.length, timings: [] };
}

const refuse = () => Promise.reject(new QuerentError("internal", "not in this test"));

/** Handlers that refuse everything that a test does not replace. */
export function handlers(change: Partial<Handlers>): Handlers {
  return {
    init: () => Promise.resolve({ modelState: "none", documents: 0 }),
    search: refuse,
    rerank: refuse,
    addDocument: refuse,
    removeDocument: refuse,
    original: refuse,
    forget: refuse,
    documents: refuse,
    stats: refuse,
    loadModel: refuse,
    download: refuse,
    ping: () => Promise.resolve(undefined),
    ...change,
  };
}

/** A start function, and what a test needs to steer the hosts that it starts. */
export interface FakeHosts {
  start: Start;
  /** Hosts that were started and not ended. */
  alive: () => number;
  /** Makes the newest host die with an error event, as a worker does. */
  kill: () => void;
  /** Sends an event from the newest host. */
  send: (event: HostEvent) => void;
}

/** Hosts with the handlers that `make` gives for the first, second... host. */
export function fakeHosts(make: (attempt: number) => Partial<Handlers>): FakeHosts {
  let alive = 0;
  let kill: (reason: string) => void = () => undefined;
  let send: (event: HostEvent) => void = () => undefined;
  const start: Start = async (attempt): Promise<Running> => {
    const { port1, port2 } = new MessageChannel();
    send = serve(port2, handlers(make(attempt)));
    port1.start();
    port2.start();
    alive += 1;
    const end = () => {
      alive -= 1;
      port1.close();
      port2.close();
    };
    return { port: port1, end, onDeath: (listener) => (kill = listener) };
  };
  return { start, alive: () => alive, kill: () => kill("killed by the test"), send: (event) => send(event) };
}
