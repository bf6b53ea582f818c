// Documents that a page adds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addHostPage, box, inPage, search, withPage } from "./setup.mjs";

const NOTE = { path: "notes/parrots.md", content: "# Keeping parrots\n\nA cockatoo, like any parrot, needs plenty of millet.\n\n## Cages\n\nA cage has to be wide.\n" };

test("an added document is found, also after a reload, until it is removed", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(`${server.url}querent/`);
    const note = { name: "parrots.md", mimeType: "text/markdown", buffer: Buffer.from(NOTE.content) };
    await page.locator("#files").setInputFiles(note);
    await page.getByText("1 document added").waitFor();
    const found = box(page).options.filter({ hasText: "Keeping parrots" }).first();
    await search(page, "cockatoo parrot");
    await found.waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Remove Keeping parrots" }).waitFor();
    await search(page, "cockatoo parrot");
    await found.waitFor();
    await found.click();
    await page.locator("dialog pre").filter({ hasText: "plenty of millet" }).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Remove Keeping parrots" }).click();
    await page.locator("#documents li").waitFor({ state: "detached" });
    await box(page).options.filter({ hasText: "Keeping parrots" }).waitFor({ state: "detached" });
  }));

test("a document of the same path is replaced, and one that cannot be read is reported", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server));
    const outcome = await inPage(
      page,
      server,
      async ({ Querent }, note) => {
        const querent = await Querent.init();
        const before = (await querent.stats()).documents;
        const results = await querent.addDocuments([
          note,
          { path: "picture.png", content: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]) },
          { ...note, content: "# Keeping budgies\n\nA budgie is a small parrot.\n" },
        ]);
        const { documents, localDocuments, storage } = await querent.stats();
        const hits = (await querent.search("budgie")).hits.map(({ title }) => title);
        const original = new TextDecoder().decode(await querent.original(note.path));
        const removed = [await querent.removeDocument(note.path), await querent.removeDocument(note.path)];
        const left = (await querent.stats()).documents - before;
        await querent.destroy();
        const codes = results.map((result) => (result.error ? result.error.code : "ok"));
        return { codes, added: documents - before, localDocuments, storage, hits, original, removed, left };
      },
      NOTE,
    );
    assert.deepEqual(outcome, {
      codes: ["ok", "read", "ok"],
      added: 1,
      localDocuments: 1,
      storage: "indexeddb",
      hits: ["Keeping budgies"],
      original: "# Keeping budgies\n\nA budgie is a small parrot.\n",
      removed: [true, false],
      left: 0,
    });
  }));

/** A PDF of one page, whose cross-references are missing: readers find its objects all the same. */
const PDF = [
  "%PDF-1.7",
  "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
  "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
  "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj",
  "4 0 obj<</Length 68>>stream",
  "BT /F1 12 Tf 50 700 Td (A cassowary is a bird that cannot fly.) Tj ET",
  "endstream endobj",
  "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj",
  "trailer<</Root 1 0 R>>",
].join("\n");

test("PDF, code and data are read, each with its place", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server));
    const hits = await inPage(
      page,
      server,
      async ({ Querent }, pdf) => {
        const querent = await Querent.init();
        const results = await querent.addDocuments([
          { path: "birds.pdf", content: pdf },
          { path: "birds.yaml", content: "birds:\n  emu:\n    wingspan: tiny\n" },
          { path: "birds.py", content: "def moult(feathers):\n    return feathers - 1\n" },
        ]);
        const failed = results.filter(({ error }) => error).map(({ error }) => error.message);
        const first = async (query) => (await querent.search(query)).hits.map(({ url, heading }) => ({ url, heading }))[0];
        const found = [await first("cassowary"), await first("wingspan"), await first("moult feathers")];
        for (const { path } of results) await querent.removeDocument(path);
        await querent.destroy();
        return [...failed, ...found];
      },
      PDF,
    );
    assert.deepEqual(hits, [
      { url: "birds.pdf#page=1", heading: "Birds" },
      { url: "birds.yaml", heading: "birds.emu" },
      { url: "birds.py", heading: "birds.py" },
    ]);
  }));

test("two tabs add documents at the same time and lose none", () =>
  withPage({}, async ({ page, server, context }) => {
    const address = addHostPage(server);
    const other = await context.newPage();
    await Promise.all([page.goto(address), other.goto(address)]);
    const add = (tab, name) =>
      inPage(
        tab,
        server,
        async ({ Querent }, prefix) => {
          window.querent = await Querent.init();
          const notes = [1, 2, 3].map((number) => ({ path: `${prefix}${number}.md`, content: `# ${prefix} ${number}\n\nzebra crossing\n` }));
          for (const result of await window.querent.addDocuments(notes)) if (result.error) throw result.error;
        },
        name,
      );
    await Promise.all([add(page, "a"), add(other, "b")]);
    for (const tab of [page, other]) {
      await tab.waitForFunction(async () => (await window.querent.documents()).length === 6);
      assert.equal(await tab.evaluate(async () => (await window.querent.search("zebra")).total), 6);
    }
  }));

test("without any index a page searches what it added", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server));
    const hits = await inPage(
      page,
      server,
      async ({ Querent }, note) => {
        const querent = await Querent.init({ index: false, database: "mine" });
        await querent.addDocuments([note]);
        return (await querent.search("millet")).hits.map(({ path }) => path);
      },
      NOTE,
    );
    assert.deepEqual(hits, [NOTE.path]);
  }));

test("destroy with forget leaves nothing behind", () =>
  withPage({}, async ({ page, server }) => {
    await page.goto(addHostPage(server));
    const left = await inPage(
      page,
      server,
      async ({ Querent }, note) => {
        const first = await Querent.init();
        await first.addDocuments([note]);
        await first.destroy({ forget: true });
        const second = await Querent.init();
        return (await second.documents()).length;
      },
      NOTE,
    );
    assert.equal(left, 0);
  }));

test("tabs that open while another one adds documents lose none of them", () =>
  withPage({}, async ({ page, server, context }) => {
    const address = addHostPage(server);
    const other = await context.newPage();
    await Promise.all([page.goto(address), other.goto(address)]);
    await inPage(page, server, async ({ Querent }, note) => {
      window.querent = await Querent.init();
      await window.querent.addDocuments([note]);
    }, NOTE);
    let isAdding = true;
    const adding = page.evaluate(async () => {
      for (let number = 1; number <= 40; number++) {
        const [{ error }] = await window.querent.addDocuments([{ path: `${number}.md`, content: `# Note ${number}\n\nzebra number ${number}\n` }]);
        if (error) throw error;
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    }).finally(() => (isAdding = false));
    while (isAdding) {
      await inPage(other, server, async ({ Querent }) => {
        const opened = await Promise.all([1, 2, 3].map(() => Querent.init()));
        await new Promise((resolve) => setTimeout(resolve, 120));
        for (const querent of opened) await querent.destroy();
      });
    }
    await adding;
    const outcome = await inPage(other, server, async ({ Querent }) => {
      const querent = await Querent.init();
      while ((await querent.documents()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      const documents = await querent.documents();
      const originals = await Promise.all(documents.map(({ path }) => querent.original(path)));
      return [documents.length, originals.filter(Boolean).length, (await querent.search("zebra", { limit: 100 })).total];
    });
    assert.deepEqual(outcome, [41, 41, 40]);
  }));

/** Deletes from the database what `which`, the text of a function, says of a file's kind and key. */
const lose = (page, which) =>
  page.evaluate(`(async () => {
    const { name } = (await indexedDB.databases())[0];
    const database = await new Promise((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = reject;
    });
    const changes = database.transaction(["files", "entries"], "readwrite");
    changes.objectStore("entries").openCursor().onsuccess = ({ target: { result: cursor } }) => {
      if (!cursor) return;
      const { key, value: [kind] } = cursor;
      if ((${which})(kind, key)) for (const store of ["files", "entries"]) changes.objectStore(store).delete(key);
      cursor.continue();
    };
    await new Promise((resolve) => (changes.oncomplete = resolve));
    database.close();
  })()`);

/** Hits of two queries and the number of documents, as soon as they are what is expected, or after a while. */
const findsAfterLoss = (page, server, expected) =>
  inPage(
    page,
    server,
    async ({ Querent }, wanted) => {
      const querent = await Querent.init();
      // Until the added documents are mounted, which no search waits for, nothing of them is missed.
      await new Promise((resolve) => setTimeout(resolve, 500));
      for (let round = 0; ; round++) {
        const found = [(await querent.search("cockatoo")).total, (await querent.search("zebra")).total, (await querent.documents()).length];
        if (round === 50 || String(found) === String(wanted)) return found;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    expected,
  );

for (const [what, which, expected] of [
  ["parts of documents are made again from their originals", "(kind, key) => kind === 'document' && key.length < 64", [1, 1, 2]],
  ["documents of which nothing is left are forgotten", "(kind) => kind === 'document'", [0, 0, 0]],
]) {
  test(`${what}, and the search goes on`, () =>
    withPage({ expected: /nothing is left of/ }, async ({ page, server }) => {
      await page.goto(addHostPage(server));
      await inPage(page, server, async ({ Querent }, note) => {
        const querent = await Querent.init();
        await querent.addDocuments([note, { path: "zebra.md", content: "# Zebra crossing\n\nLook left.\n" }]);
        await querent.destroy();
      }, NOTE);
      await lose(page, which);
      assert.deepEqual(await findsAfterLoss(page, server, expected), expected);
    }));
}
