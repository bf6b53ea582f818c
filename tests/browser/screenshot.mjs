// Takes docs/screenshot.png: the page to try an index with, after a query. Usage: node screenshot.mjs [FILE [QUERY]]

import { statSync } from "node:fs";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const [file = "docs/screenshot.png", query = "how do I make search work offline"] = process.argv.slice(2);
const LARGEST = 300_000;

const server = await serve(process.env.QUERENT_SITE ?? "site");
const executablePath = process.env.QUERENT_CHROMIUM ?? process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: 900, height: 760 } });
  await page.goto(`${server.url}querent/`);
  await page.locator("querent-search input").fill(query);
  await page.locator("querent-search").getByRole("option").first().waitFor();
  // With a model in the index the fused list is what readers see a moment later.
  await page.locator("querent-search .footer").filter({ hasText: "meaning" }).waitFor({ timeout: 60_000 }).catch(() => undefined);
  await page.screenshot({ path: file });
  const { size } = statSync(file);
  if (size > LARGEST) throw new Error(`${file} has ${size} bytes, at most ${LARGEST} are wanted; take a smaller window`);
  console.log(`${file}: ${size} bytes`);
} finally {
  await browser.close();
  await server.close();
}
