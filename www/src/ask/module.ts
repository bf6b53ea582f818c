/**
 * The wasm module that asks. It runs in the page and not in the worker: the callback for headers is a function, which
 * cannot be sent to one, and what it does is wait.
 */

import { glueUrl } from "../assets.js";
import { compile } from "../host/compile.js";

type AskModule = typeof import("../generated/ask.js");

let loaded: Promise<AskModule> | undefined;
let attempts = 0;

/** The module, loaded when it is first asked for, and again when that failed. */
export function askModule(): Promise<AskModule> {
  loaded ??= load().catch((thrown: unknown) => {
    loaded = undefined;
    throw thrown;
  });
  return loaded;
}

/** Has the module loaded anew by the next question: a trap leaves it in no defined state. */
export function dropModule(): void {
  loaded = undefined;
  attempts += 1;
}

async function load(): Promise<AskModule> {
  const url = glueUrl("ask");
  // Another address gives another instance.
  if (attempts > 0) url.searchParams.set("attempt", String(attempts));
  const [glue, module] = await Promise.all([import(/* @vite-ignore */ url.href) as Promise<AskModule>, compile("ask")]);
  await glue.default({ module_or_path: module });
  return glue;
}
