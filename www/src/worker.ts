/**
 * The worker's script. In a worker it serves the host at once; imported by a page that may not start workers,
 * it hands out the same host instead.
 */

import { Host } from "./host/host.js";
import { serve, type Port } from "./protocol.js";

/** Serves a host on `port`. Returns the function that ends it, which a worker's own end makes needless. */
export function serveHost(port: Port): () => void {
  const host = new Host();
  host.onEvent = serve(port, host.handlers);
  return () => host.end();
}

// The types of a worker's global scope and of a page's exclude each other, so the scope is recognised by what
// it is called.
if ("WorkerGlobalScope" in globalThis && !("document" in globalThis)) serveHost(globalThis as unknown as Port);
