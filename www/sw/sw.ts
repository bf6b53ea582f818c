/**
 * The service worker: search works without network after the first visit.
 *
 * - Names with a content hash are served from the cache first; what they hold never changes.
 * - Everything else of the index folder, and pages with what they are made of, is fetched, and served from the
 *   cache when the network fails.
 * - The model's weights are left alone: the host keeps them in IndexedDB, by hash.
 *
 * Registered by itself it serves its own folder. A service worker at the root of a site may import it
 * (`importScripts("/querent/querent-sw.js")`) and then serves the site's pages offline too; its own fetch
 * listeners come first when they are registered before the import.
 */

import { needsLanguages } from "../src/languages.js";

declare const self: ServiceWorkerGlobalScope;
declare const __QUERENT_VERSION__: string;
declare const __QUERENT_PRECACHE__: string[];
declare const __QUERENT_LANGUAGES__: string;

/** All caches of this registration; a site may have several, and caches of its own. */
const PREFIX = `querent ${self.registration.scope} `;
const CACHE = PREFIX + __QUERENT_VERSION__;
const FOLDER = ownFolder();

const HASHED = /[.-][0-9a-f]{8,64}(\.[a-z0-9.]+)?$/;
/** What a page is made of. */
const PARTS: readonly RequestDestination[] = ["document", "script", "style", "image", "font", "worker", "manifest"];

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const answer = respond(event.request, event);
  if (answer) event.respondWith(answer);
});
self.addEventListener("message", (event) => {
  const message: unknown = event.data;
  if (!isKeep(message)) return;
  const done = keep(message.urls).then(() => event.ports[0]?.postMessage("kept"));
  event.waitUntil(done);
});

/** An imported script's location is its importer's, but a stack names the script itself. */
function ownFolder(): string {
  const script = /https?:\/\/[^\s()@]+\/querent-sw\.js/.exec(new Error().stack ?? "")?.[0];
  return new URL(".", script ?? self.location.href).href;
}

/**
 * Rejects unless every part of this release is kept: the caches of the release before are deleted after this. The
 * folder's own page and the manifest are kept where they can be had; not every site has them there.
 */
async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  const addressOf = (name: string) => new URL(name, FOLDER).href;
  await Promise.all(__QUERENT_PRECACHE__.map((name) => keepOne(cache, addressOf(name))));
  await keep(["./", "manifest.json"].map(addressOf));
  const manifest = await cache.match(addressOf("manifest.json"));
  if (manifest && needsLanguages(await manifest.text())) await keep([addressOf(__QUERENT_LANGUAGES__)]);
  await self.skipWaiting();
}

async function activate(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Fetches and keeps what may be kept. One address that fails does not stop the others. */
async function keep(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE);
  const wanted = [...new Set(urls.map((url) => url.split("#", 1)[0] ?? url))].filter((url) => mayKeep(new URL(url)));
  await Promise.allSettled(wanted.map((url) => keepOne(cache, url)));
}

/** Fetches and keeps one address. Rejects when there is no answer that may be kept, or no room for it. */
async function keepOne(cache: Cache, url: string): Promise<void> {
  const isHashed = HASHED.test(url);
  if (isHashed && (await cache.match(url))) return;
  const response = await fetch(url, { cache: isHashed ? "default" : "no-cache" });
  if (!isWhole(response)) throw new Error(`${url} answered ${response.status}; check that the whole folder was copied`);
  await cache.put(url, response);
}

function isWhole(response: Response): boolean {
  return response.ok && !response.redirected && response.type === "basic";
}

function mayKeep(url: URL): boolean {
  return url.origin === self.location.origin && !url.href.startsWith(`${FOLDER}model/`);
}

function respond(request: Request, event: FetchEvent): Promise<Response> | undefined {
  const url = new URL(request.url);
  if (request.method !== "GET" || request.headers.has("range") || !mayKeep(url)) return undefined;
  const inFolder = url.href.startsWith(FOLDER);
  if (inFolder && HASHED.test(url.pathname)) return cacheFirst(request, event);
  if (inFolder || request.mode === "navigate" || PARTS.includes(request.destination)) return networkFirst(request, event);
  return undefined;
}

async function cacheFirst(request: Request, event: FetchEvent): Promise<Response> {
  const cache = await caches.open(CACHE);
  // `reload` says that what was had before is damaged.
  const kept = request.cache === "reload" ? undefined : await cache.match(request.url, { ignoreSearch: true });
  if (kept) return kept;
  const response = await fetch(request);
  event.waitUntil(store(cache, new Request(request.url), response.clone()));
  return response;
}

async function networkFirst(request: Request, event: FetchEvent): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    event.waitUntil(store(cache, new Request(request.url), response.clone()));
    return response;
  } catch (thrown) {
    const kept = await cache.match(request.url, { ignoreSearch: request.mode === "navigate" });
    if (kept) return kept;
    throw thrown;
  }
}

/** A full disk must not fail the request. */
async function store(cache: Cache, request: Request, response: Response): Promise<void> {
  if (!isWhole(response)) return;
  await cache.put(request, response).catch(() => undefined);
}

function isKeep(message: unknown): message is { type: "querent-keep"; urls: string[] } {
  return typeof message === "object" && message !== null && "type" in message && message.type === "querent-keep" && "urls" in message && Array.isArray(message.urls);
}
