/** The service worker, from the page's side. */

import { SCRIPT_FOLDER } from "./assets.js";

/**
 * Registers `querent-sw.js`, so that search works without network after the first visit. It serves its own folder
 * only; a site that wants its documents offline too imports it into a service worker at its root, and does not
 * need this call.
 *
 * Resolves when what this page has loaded so far is kept; to `false` where the browser has no service workers.
 */
export async function registerServiceWorker(): Promise<boolean> {
  if (!("serviceWorker" in navigator)) return false;
  const registration = await navigator.serviceWorker.register(new URL("querent-sw.js", SCRIPT_FOLDER));
  const worker = await activated(registration);
  const { port1, port2 } = new MessageChannel();
  const kept = new Promise<boolean>((resolve) => (port1.onmessage = () => resolve(true)));
  worker.postMessage({ type: "querent-keep", urls: loadedSoFar() }, [port2]);
  return await kept;
}

/** Addresses that the worker was too late to see. */
function loadedSoFar(): string[] {
  const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  const kinds = ["script", "link", "css", "img", "other"];
  return [location.href, ...resources.filter(({ initiatorType }) => kinds.includes(initiatorType)).map(({ name }) => name)];
}

async function activated(registration: ServiceWorkerRegistration): Promise<ServiceWorker> {
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  if (!worker) throw new Error("the browser registered no service worker; reload the page");
  if (worker.state === "activated") return worker;
  return await new Promise((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve(worker);
      if (worker.state !== "redundant") return;
      // The one of the release before goes on until all of the new one can be had.
      if (registration.active) resolve(registration.active);
      else reject(new Error("the service worker could not be installed; see the browser's console"));
    });
  });
}
