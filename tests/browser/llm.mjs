// A server with OpenAI's chat API that says and misbehaves as a test tells it to, on an origin of its own.

import { createServer } from "node:http";

/** One event of a stream. */
const event = (value) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
const delta = (content) => event({ choices: [{ delta: { content } }] });

/** Streams `words`, one event each; `pause` milliseconds lie between them, or what `pause(n)` waits for after word n. */
export const say = (words, pause = 0) => async (response) => {
  response.writeHead(200, { ...CORS, "content-type": "text/event-stream" });
  for (const [n, word] of words.entries()) {
    response.write(delta(word));
    await (typeof pause === "function" ? pause(n) : new Promise((resolve) => setTimeout(resolve, pause)));
  }
  response.end(event({ choices: [{ delta: {}, finish_reason: "stop" }] }) + event("[DONE]"));
};

/** The same as one JSON object. */
export const sayWhole = (content) => (response) =>
  response.writeHead(200, { ...CORS, "content-type": "application/json" }).end(JSON.stringify({ choices: [{ message: { content }, finish_reason: "length" }] }));

/** Streams `words` and closes the connection in the middle. */
export const cut = (words) => async (response) => {
  response.writeHead(200, { ...CORS, "content-type": "text/event-stream" });
  response.write(words.map(delta).join(""));
  await new Promise((resolve) => setTimeout(resolve, 50));
  response.destroy();
};

/** Another status than 200. */
export const refuse = (status, body = "", headers = {}) => (response) => response.writeHead(status, { ...CORS, ...headers }).end(body);

/** Never answers. */
export const hang = () => undefined;

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*, authorization",
  "access-control-expose-headers": "retry-after",
};

/**
 * @param act what the server does with request number n (from 0), whose body it is given
 * @returns `url`, `origin`, `asked` (headers and body of each request, and when it came) and `close()`
 */
export async function serveModel(act) {
  const asked = [];
  const server = createServer(async (request, response) => {
    if (request.method === "OPTIONS") return response.writeHead(204, CORS).end();
    let text = "";
    for await (const piece of request) text += piece;
    const body = JSON.parse(text);
    asked.push({ path: request.url, headers: request.headers, body, at: Date.now() });
    await act(asked.length - 1, body)(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    url: `${origin}/v1`,
    origin,
    asked,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}
