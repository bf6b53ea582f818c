// The browser that measurements run in, and the arithmetic that they share.

import { chromium } from "playwright-core";

const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Starts Chromium, the one that the browser tests take. */
export function launch() {
  const executablePath = process.env.QUERENT_CHROMIUM ?? process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

/** The median: the mean of the two in the middle where the count is even. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

export const count = (number) => Math.round(number).toLocaleString("en");
