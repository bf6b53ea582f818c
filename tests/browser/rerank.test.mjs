// The cross-encoder in the browser, with its real weights.
//
// The folder beside the site's, `<site>-rerank`, is the index of Querent's own documentation with `--reranker`, as
// `./build.sh test` makes it. QUERENT_PROGRAM is the program that built it: natively it gives the expected order.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { addHostPage, box, inPage, recordResults, search, site, withPage } from "./setup.mjs";

const folder = `${site}-rerank`;
const program = process.env.QUERENT_PROGRAM ?? "target/release/querent";
/** Few documents: a passage takes a tenth of a second. */
const CANDIDATES = 6;
const QUERIES = ["how do I change the port", "why does the page not load anything", "what does a reader download first"];
const FOREVER = 600_000;

/** Paths of the first documents, as the program itself ranks them. */
function native(query, ...more) {
  const index = join(folder, "querent");
  const flags = ["--mode", "lexical", "--json", "--limit", String(CANDIDATES), ...more];
  const { hits } = JSON.parse(execFileSync(program, ["search", index, query, ...flags], { encoding: "utf8" }));
  return hits.map(({ path }) => path);
}

const reranked = (query) =>
  native(query, "--rerank", "--rerank-candidates", String(CANDIDATES), "--rerank-weight", "1", "--rerank-budget", String(FOREVER));

test("the build copies the pack and names it", () => {
  const { file, bytes, sha256, identity } = JSON.parse(readFileSync(join(folder, "querent", "reranker.json"), "utf8"));
  assert.match(file, /^model\/ms-marco-MiniLM-L-12-v2-[0-9a-f]{16}\.q8\.bin$/);
  assert.ok(file.includes(sha256.slice(0, 16)));
  assert.equal(readFileSync(join(folder, "querent", file)).length, bytes);
  assert.match(identity.id, /MiniLM-L-12/);
  assert.deepEqual(readdirSync(join(folder, "querent", "model")).map((name) => `model/${name}`), [file]);
});

test("in the browser the order becomes what the program says, and a budget of a millisecond changes nothing", () =>
  withPage({ site: folder }, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic"));
    const found = await inPage(
      page,
      server,
      async ({ Querent }, { queries, candidates, budget }) => {
        const querent = await Querent.init();
        const stages = new Set();
        const found = [];
        for (const query of queries) {
          const shown = [];
          const ask = async (rerank) => {
            const onUpdate = ({ hits }) => shown.push(hits.map(({ path }) => path));
            const onProgress = ({ stage }) => stages.add(stage);
            const { hits } = await querent.search(query, { mode: "lexical", limit: candidates, rerank, onUpdate, onProgress });
            return hits.map(({ path }) => path);
          };
          const all = await ask({ candidates, budget, weight: 1 });
          found.push({ all, none: await ask({ candidates, budget: 1, weight: 1 }), shown });
        }
        await querent.destroy();
        return { found, stages: [...stages] };
      },
      { queries: QUERIES, candidates: CANDIDATES, budget: FOREVER },
    );
    for (const [at, { all, none, shown }] of found.found.entries()) {
      const fused = native(QUERIES[at]);
      assert.deepEqual(shown, [fused, fused], "the fused list is handed over first");
      assert.deepEqual(none, fused, "nothing is scored in a millisecond");
      assert.deepEqual(all, reranked(QUERIES[at]));
    }
    assert.ok(found.found.some(({ all, none }) => all.join() !== none.join()), "the cross-encoder moves something");
    assert.deepEqual(found.stages, ["download", "prepare", "rerank"]);
    const packs = server.requests.filter((path) => path.includes("/model/"));
    assert.equal(packs.length, 1, packs.join());
  }));

test("the pack is downloaded once per browser", () =>
  withPage({ site: folder }, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic"));
    const ask = () =>
      inPage(page, server, async ({ Querent }, query) => {
        const querent = await Querent.init();
        await querent.search(query, { mode: "lexical", rerank: { candidates: 2 } });
        // Files are written a little later, so that a first search has the network to itself.
        for (let round = 0; round < 100 && (await querent.stats()).storedBytes < 30e6; round++) {
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        await querent.destroy();
      }, QUERIES[0]);
    await ask();
    await page.reload();
    await ask();
    assert.equal(server.requests.filter((path) => path.includes("/model/")).length, 1);
  }));

test("the box shows the fused list and reorders it when it has been read, but for where the reader is", () =>
  withPage({ site: folder }, async ({ page, server }) => {
    const release = server.hold(/querent\/model\/ms-marco/);
    await page.goto(addHostPage(server, `no-semantic rerank="${FOREVER}" limit="${CANDIDATES}"`));
    await recordResults(page);
    const query = moved();
    await search(page, query);
    await page.waitForFunction((asked) => window.shown.at(-1)?.query === asked, query);
    const fused = await page.evaluate(() => window.shown.at(-1).paths);
    const { list, footer } = box(page);
    const second = list.getByRole("group").nth(1);
    await second.hover();
    const before = { box: await second.boundingBox(), text: await second.textContent() };
    await footer.filter({ hasText: "rereading" }).waitFor();
    release();
    await footer.filter({ hasText: /· reranked/ }).waitFor({ timeout: 120_000 });
    const last = await page.evaluate(() => window.shown.at(-1).paths);
    assert.notDeepEqual(last, fused);
    assert.deepEqual({ box: await second.boundingBox(), text: await second.textContent() }, before);
  }));

test("a box with `rerank` and no pack keeps its list and says why", () =>
  withPage({ expected: /404|reranker\.json/ }, async ({ page, server }) => {
    await page.goto(addHostPage(server, "no-semantic rerank"));
    const options = await search(page, QUERIES[0]);
    const { footer } = box(page);
    await footer.filter({ hasText: "could not be reranked" }).waitFor();
    assert.ok((await options.count()) > 0);
  }));

/** A query whose order the default weight changes. */
function moved() {
  const changes = (query) => {
    const flags = ["--rerank", "--rerank-candidates", "20", "--rerank-budget", String(FOREVER)];
    return native(query).join() !== native(query, ...flags).join();
  };
  const found = QUERIES.find(changes);
  assert.ok(found, "a query that reranking changes");
  return found;
}
