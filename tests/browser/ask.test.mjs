// Answers by a language model's server: `Querent.ask()` against one that follows a script, in a real browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startProxy } from "./proxy.mjs";
import { cut, hang, refuse, say, sayWhole, serveModel } from "./llm.mjs";
import { POLICY, serve } from "./serve.mjs";
import { addHostPage, inPage, search, withPage } from "./setup.mjs";

/** Runs `body` with a page that may send to a server which does with request number n (from 0) what `act(n, body)` says. */
async function withModel(act, body, options = {}) {
  const model = await serveModel(act);
  try {
    const policy = options.policy ?? `${POLICY}; connect-src 'self' ${model.origin}`;
    await withPage({ expected: /429|50[03]|401|net::ERR|Failed to load|CORS/, ...options, policy, allowed: [model.origin] }, async (given) => {
      await given.page.goto(addHostPage(given.server, "no-semantic"));
      await body({ ...given, model });
    });
  } finally {
    await model.close();
  }
}

/** Asks in the page. Gives the answer or the error's code, the words as they came, and what `onSources` was given. */
function ask(page, server, input) {
  return inPage(
    page,
    server,
    async ({ Querent }, { question = "how do I change the port", url, token, abortAfter, headers, ...options }) => {
      const querent = await Querent.init();
      const pieces = [];
      let early;
      const abort = new AbortController();
      const onSources = (sources) => {
        early = sources.length;
        if (abortAfter) setTimeout(() => abort.abort(), abortAfter);
      };
      const callbacks = { none: undefined, throws: () => Promise.reject(new Error("no session")), wrong: () => 7 };
      const endpoint = url && {
        url,
        model: "test-model",
        headers: headers ? callbacks[headers] : async () => ({ authorization: `Bearer ${token ?? "x"}` }),
        ...(options.endpoint ?? {}),
      };
      try {
        const asked = { ...options, endpoint, signal: abort.signal, onText: (piece) => pieces.push(piece), onSources };
        return { answer: await querent.ask(question, asked), pieces, early };
      } catch (error) {
        return { code: error.code, message: error.message, pieces, early };
      } finally {
        await querent.destroy();
      }
    },
    input,
  );
}

test("an answer streams, its citations checked", () =>
  withModel(() => say(["It is ", "set by `--port` [", "1]. ", "Or not [9", "]", " [2]."]), async ({ page, server, model }) => {
    const { answer, pieces, early } = await ask(page, server, { url: model.url, token: "session-token-1" });
    assert.equal(answer.answer, "It is set by `--port` [1]. Or not [2].");
    assert.equal(pieces.join(""), answer.answer);
    assert.ok(pieces.length > 2, pieces.join("|"));
    assert.deepEqual([answer.citations, answer.invented, answer.saysNothing, answer.isCut], [[1, 2], [9], false, false]);
    assert.equal(early, answer.sources.length);
    assert.ok(answer.sources.length > 1 && answer.sources.length <= 6);
    const [first] = answer.sources;
    assert.deepEqual([first.number, typeof first.title, typeof first.heading, typeof first.url], [1, "string", "string", "string"]);
    const [{ path, headers, body }] = model.asked;
    assert.deepEqual([path, headers.authorization], ["/v1/chat/completions", "Bearer session-token-1"]);
    assert.deepEqual([body.model, body.temperature, body.max_tokens, body.stream, body.response_format], ["test-model", 0.3, 400, true, undefined]);
    const prompt = body.messages.at(-1).content;
    assert.ok(prompt.includes("SOURCE [1]: ") && prompt.trimEnd().endsWith("how do I change the port"), prompt);
    assert.equal(model.asked.length, 1);
  }));

test("without an endpoint nothing is sent, and the sources are no answer", () =>
  withModel(() => say(["no"]), async ({ page, server, model }) => {
    const { answer, pieces } = await ask(page, server, {});
    assert.deepEqual([answer.answer, answer.citations, answer.saysNothing, pieces], [undefined, [], false, []]);
    assert.ok(answer.sources.length > 1 && answer.sources[0].excerpt !== "");
    // The box does not ask either, whatever key is pressed.
    await search(page, "how do I change the port");
    await page.keyboard.press("Shift+Enter");
    await page.waitForTimeout(300);
    assert.equal(model.asked.length, 0);
    assert.ok(!server.requests.some((path) => /\/ask\./.test(path)), "the module that asks is not even loaded");
  }));

test("where nothing is found, nobody is asked", () =>
  withModel(() => say(["no"]), async ({ page, server, model }) => {
    const { answer } = await ask(page, server, { url: model.url, question: "xyzzyplugh", mode: "lexical" });
    assert.deepEqual([answer.saysNothing, answer.answer, model.asked.length], [true, "The documents do not say.", 0]);
  }));

test("earlier turns are in the prompt, and find what an elliptic question means", () =>
  withModel(() => say(["Yes [1]."]), async ({ page, server, model }) => {
    const history = [{ question: "How do I change the port of the server?", answer: "By --port [3]." }];
    const first = await ask(page, server, { url: model.url, question: "And with the file?", history });
    assert.deepEqual(first.answer?.citations, [1], first.message);
    const { messages } = model.asked[0].body;
    assert.deepEqual(messages.slice(0, 2), [
      { role: "user", content: "How do I change the port of the server?" },
      { role: "assistant", content: "By --port." },
    ]);
    assert.match(messages[2].content, /port/);
    const template = "Pirate: {{sources}} {{question}}";
    await ask(page, server, { url: model.url, template });
    assert.ok(model.asked[1].body.messages[0].content.startsWith("Pirate: ====="));
  }));

test("what goes by is asked again", async () => {
  await withModel((n) => (n === 0 ? refuse(429, "slow down", { "retry-after": "1" }) : sayWhole("Yes [1].")), async ({ page, server, model }) => {
    // `length` as the reason to stop.
    const { answer } = await ask(page, server, { url: model.url });
    assert.deepEqual([answer.answer, answer.isCut, model.asked.length], ["Yes [1].", true, 2]);
    assert.ok(model.asked[1].at - model.asked[0].at >= 1000, "the server is left alone as long as it asks");
  });
  const notStreaming = (_, body) => (body.stream ? refuse(400, "stream is not supported") : sayWhole("Yes [1]."));
  await withModel(notStreaming, async ({ page, server, model }) => {
    const { answer } = await ask(page, server, { url: model.url });
    assert.deepEqual([answer?.answer, model.asked.at(-1).body.stream], ["Yes [1].", undefined]);
  }, { expected: /400|Failed to load/ });
});

const FAILURES = [
  { act: refuse(503, "overloaded"), code: "busy", requests: 3, part: "overloaded" },
  { act: refuse(401, "wrong key session-token-1"), code: "endpoint", requests: 1, part: "[key]" },
  { act: refuse(302, "", { location: "http://127.0.0.1:9/" }), code: "network", requests: 3 },
  { act: cut(["Some words ", "and no more"]), code: "cut", requests: 1, pieces: "Some words and no more" },
  { act: cut([]), code: "endpoint|network", requests: 3 },
  { act: say(["[1]", "[2]"]), code: "no-answer", requests: 1 },
  { act: sayWhole({}), code: "no-answer", requests: 1 },
  { act: (response) => response.writeHead(200, { "access-control-allow-origin": "*" }).end("<html>Log in</html>"), code: "endpoint", requests: 3, part: "Log in" },
  { act: hang, more: { endpoint: { timeout: 500 } }, code: "timeout", requests: 1 },
  { act: hang, more: { abortAfter: 300 }, code: "aborted", requests: 1 },
  { act: say(Array(200).fill("word "), 20), more: { abortAfter: 1000 }, code: "aborted", requests: 1 },
  { act: say(["no"]), more: { headers: "throws" }, code: "request", requests: 0, part: "no session" },
  { act: say(["no"]), more: { headers: "wrong" }, code: "request", requests: 0, part: "headers" },
  { act: say(["no"]), more: { k: 21 }, code: "request", requests: 0, part: "1 to 20" },
  { act: say(["no"]), more: { template: "no places" }, code: "request", requests: 0, part: "{{sources}}" },
];

for (const { act, more, code, requests, part = "", pieces } of FAILURES) {
  test(`a question that fails: ${code}${part && `, ${part}`}`, () =>
    withModel(() => act, async ({ page, server, model }) => {
      const found = await ask(page, server, { url: model.url, token: "session-token-1", ...more });
      assert.match(found.code ?? JSON.stringify(found), new RegExp(`^(${code})$`), found.message);
      assert.ok(found.message.includes(part), found.message);
      assert.equal(model.asked.length, requests, found.message);
      assert.ok(!found.message.includes("session-token-1"), found.message);
      if (pieces) assert.equal(found.pieces.join(""), pieces);
    }));
}

test("a token that the server repeats is not shown", () =>
  withModel(() => say(["Your token is session-", "token-1, the port [1]."]), async ({ page, server, model }) => {
    const { answer } = await ask(page, server, { url: model.url, token: "session-token-1" });
    assert.equal(answer.answer, "Your token is [key], the port [1].");
  }));

test("the guide's proxy adds the key, keeps the model, and counts", async () => {
  const model = await serveModel(() => say(["Yes ", "[1]."], 20));
  const site = await serve("");
  const { origin } = site;
  await site.close();
  const proxy = await startProxy({ LLM_URL: model.url, LLM_MODEL: "the owner's", LLM_KEY: "secret-of-the-owner", SITE: origin });
  try {
    const policy = `${POLICY}; connect-src 'self' ${proxy.origin}`;
    await withPage({ policy, port: Number(new URL(origin).port), allowed: [proxy.origin], expected: /429|Failed to load/ }, async ({ page, server }) => {
      await page.goto(addHostPage(server, "no-semantic"));
      const found = await ask(page, server, { url: proxy.url, headers: "none" });
      assert.equal(found.answer?.answer, "Yes [1].", found.message);
      const { headers, body } = model.asked[0];
      assert.deepEqual([headers.authorization, body.model, body.max_tokens], ["Bearer secret-of-the-owner", "the owner's", 400]);
      let last;
      for (let times = 0; times < 10; times++) last = await ask(page, server, { url: proxy.url, headers: "none" });
      assert.deepEqual([last.code, model.asked.length], ["busy", 10]);
    });
    assert.equal((await fetch(`${proxy.url}/chat/completions`, { method: "POST", body: "{}" })).status, 403);
  } finally {
    proxy.close();
    await model.close();
  }
});

test("a policy that does not name the server stops the question, and the error says so", () =>
  withModel(() => say(["no"]), async ({ page, server, model, troubles }) => {
    const { code, message } = await ask(page, server, { url: model.url });
    assert.deepEqual([code, model.asked.length], ["network", 0]);
    assert.match(message, /connect-src/);
    troubles.length = 0;
  }, { policy: POLICY, expected: /violat|connect-src|Content Security Policy/ }));
