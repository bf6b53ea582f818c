/** The page to try an index with: the element, documents of the reader's own, figures and explanations. */

import type { Explanation, Hit, LocalDocument, Progress, Querent, QuerentSearch, SearchResponse } from "../src/index.js";

// The build leaves this import as it is: the page uses querent.js as any other page would.
const { registerServiceWorker } = (await import("./querent.js" as string)) as typeof import("../src/index.js");

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const box = document.querySelector("querent-search") as QuerentSearch;
const drop = byId("drop");
const files = byId<HTMLInputElement>("files");
const progress = byId<HTMLProgressElement>("progress");
const report = byId("report");

function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  return count < 1024 * 1024 ? `${(count / 1024).toFixed(0)} kB` : `${(count / 1024 / 1024).toFixed(1)} MB`;
}

function text(name: string, content: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = content;
  return element;
}

// --- figures ---

async function showStats(querent: Querent): Promise<void> {
  const stats = await querent.stats();
  const model = { none: "none", idle: "not loaded", loading: "loading", ready: "ready", failed: "failed" }[stats.modelState];
  const rows: [string, string][] = [
    ["Documents", stats.documents.toLocaleString()],
    ["Chunks", stats.chunks.toLocaleString()],
    ["Questions", stats.questions.toLocaleString()],
    ["Vectors", stats.vectors.toLocaleString()],
    ["Index", bytes(stats.bytes)],
    ["Kept in this browser", `${bytes(stats.storedBytes)}${stats.storage === "memory" ? " (memory only)" : ""}`],
    ["Model", model],
  ];
  byId("stats").replaceChildren(
    ...rows.map(([name, value]) => {
      const row = document.createElement("div");
      row.append(text("dt", name), text("dd", value));
      return row;
    }),
  );
}

// --- how results came about ---

function explain(explanation: Explanation): HTMLElement {
  const line = `${explanation.value.toFixed(4)}  ${explanation.description}`;
  if (!explanation.details?.length) {
    const leaf = text("div", line);
    leaf.className = "leaf";
    return leaf;
  }
  const details = document.createElement("details");
  details.open = true;
  details.append(text("summary", line), ...explanation.details.map(explain));
  return details;
}

function showResponse(response: SearchResponse): void {
  const rows = response.timings.map(([stage, milliseconds]) => {
    const row = document.createElement("tr");
    const head = text("th", stage);
    head.setAttribute("scope", "row");
    row.append(head, text("td", milliseconds.toFixed(2)));
    return row;
  });
  byId("timings").querySelector("tbody")?.replaceChildren(...rows);
  byId("scores").replaceChildren(
    ...response.hits.flatMap((hit) => {
      if (!hit.explanation) return [];
      const details = document.createElement("details");
      details.append(text("summary", `${hit.rank}. ${hit.title}: ${hit.heading}`), explain(hit.explanation));
      return [details];
    }),
  );
}

// --- the reader's own documents ---

async function showDocuments(querent: Querent): Promise<void> {
  const documents = await querent.documents();
  byId("documents").replaceChildren(...documents.map((document) => documentRow(querent, document)));
}

function documentRow(querent: Querent, local: LocalDocument): HTMLElement {
  const row = document.createElement("li");
  const name = document.createElement("div");
  const facts = [bytes(local.bytes), `${local.chunks} chunks`, `${local.questions} questions`];
  if (local.vectors > 0) facts.push("by meaning");
  name.append(text("strong", local.title), text("small", `${local.path} · ${facts.join(" · ")}`));
  const remove = text("button", "Remove");
  remove.setAttribute("aria-label", `Remove ${local.title}`);
  remove.addEventListener("click", () => void querent.removeDocument(local.path));
  row.append(name, remove);
  return row;
}

function showProgress(path: string, { stage, done, total }: Progress): void {
  report.textContent = stage === "embed" ? `${path}: reading for meaning` : `${path}: reading`;
  if (stage === "embed" && total > 0) progress.value = done / total;
  else progress.removeAttribute("value");
}

async function add(list: Iterable<File>): Promise<void> {
  const querent = await box.querent;
  progress.hidden = false;
  const results = await querent.addDocuments(list, { onProgress: showProgress });
  progress.hidden = true;
  const failed = results.flatMap((result) => ("error" in result ? [`${result.path}: ${result.error.message}`] : []));
  const added = results.length - failed.length;
  report.textContent = [`${added} ${added === 1 ? "document" : "documents"} added`, ...failed].join("\n");
}

async function showOriginal(hit: Hit): Promise<void> {
  const original = await (await box.querent).original(hit.path);
  if (!original) return;
  const dialog = byId<HTMLDialogElement>("original");
  byId("original-title").textContent = hit.title;
  const content = dialog.querySelector("pre");
  // What is not text shows its excerpt: nobody reads the bytes of a PDF.
  const isText = !/\.(?:pdf|doc[xm])$/i.test(hit.path);
  if (content) content.textContent = isText ? new TextDecoder().decode(original) : hit.excerpt;
  dialog.showModal();
}

// --- the page ---

async function watch(): Promise<void> {
  const querent = await box.querent;
  const refresh = () => void Promise.all([showStats(querent), showDocuments(querent)]).catch(() => undefined);
  querent.subscribe(refresh);
  refresh();
}

box.addEventListener("querent-results", (event) => showResponse((event as CustomEvent<SearchResponse>).detail));
box.addEventListener("querent-select", (event) => void showOriginal((event as CustomEvent<Hit>).detail));
byId("semantic").addEventListener("change", (event) => {
  box.toggleAttribute("no-semantic", !(event.target as HTMLInputElement).checked);
  void watch();
});
byId("details").addEventListener("change", (event) => {
  byId("explanation").hidden = !(event.target as HTMLInputElement).checked;
});
files.addEventListener("change", () => void add([...(files.files ?? [])]));
drop.addEventListener("dragover", (event) => {
  event.preventDefault();
  drop.classList.add("over");
});
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  void add([...(event.dataTransfer?.files ?? [])]);
});
/** Browsers say "online" on any network at all; the service worker leaves HEAD requests to the real one. */
async function showNetwork(): Promise<void> {
  const reached = navigator.onLine && (await fetch("manifest.json", { method: "HEAD", cache: "no-store" }).catch(() => undefined));
  byId("network").hidden = Boolean(reached);
}

addEventListener("online", () => void showNetwork());
addEventListener("offline", () => void showNetwork());
void showNetwork();

/** Keeps scripts, page and index in the browser, so that everything here works without network from now on. */
async function keepForOffline(): Promise<boolean> {
  const kept = await registerServiceWorker();
  await (await box.querent).download();
  return kept;
}

watch().catch((error: Error) => (report.textContent = error.message));
const kept = await keepForOffline().catch(() => false);
document.documentElement.dataset["offline"] = kept ? "ready" : "unavailable";
