import "./node-version.mjs";
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import {
  buildsFolder,
  digestOfSources,
  findBuild,
  holdBuild,
  lockBuilds,
  newBuildName,
  removeUnusedBuilds,
} from "./builds.mjs";

const say = (line) => process.stdout.write(`${line}\n`);
const waiting = () => say("Another process is building Adjutant; waiting for it.");

/**
 * Builds into a new folder, so that running processes keep theirs, and renames it when complete.
 * The caller holds the lock.
 * @throws if a part fails; its output is then already printed
 */
async function build() {
  // Digested first: a file saved during the build makes the next start build again.
  const name = newBuildName(digestOfSources());
  const unfinished = path.join(buildsFolder, `.building-${randomBytes(4).toString("hex")}`);
  mkdirSync(unfinished, { recursive: true });
  try {
    // The server reads these.
    for (const file of ["public", "next.config.mjs"])
      cpSync(file, path.join(unfinished, file), { recursive: true });
    await step("Server and worker", () => bundle(unfinished));
    await step("Pages", () => pages(unfinished));
    shareChunks(path.join(unfinished, ".next/server/chunks"));
    await step("Packing", () => pack(path.join(unfinished, ".next/static")));
    const folder = path.join(buildsFolder, name);
    renameSync(unfinished, folder);
    return folder;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Concurrent starts share one build, which stays until this process ends. @returns its folder */
export async function openBuild() {
  const release = await lockBuilds(waiting);
  try {
    const { folder: built, why } = findBuild();
    if (!built) say(`Building Adjutant, because ${why}. This takes about half a minute.`);
    const folder = built ?? (await build());
    if (await holdBuild(folder)) await removeUnusedBuilds(folder);
    return folder;
  } finally {
    release();
  }
}

async function step(name, work) {
  const start = performance.now();
  process.stdout.write(`  ${name} … `);
  await work();
  say(`${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/**
 * One file, because reading a thousand delays a start by a third of a second. Packages that read
 * their own files, and the patched driver, stay external. The banner provides require().
 */
async function bundle(folder) {
  const options = JSON.parse(readFileSync(new URL("bundle-options.json", import.meta.url), "utf8"));
  const esbuild = await import("esbuild");
  await esbuild.build({
    entryPoints: {
      server: "server/main.ts",
      worker: "server/jobs/main.ts",
    },
    outdir: folder,
    ...options,
  });
  // The bundler's child would remain in the process that becomes the server.
  await esbuild.stop();
}

async function pages(folder) {
  writeFileSync(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "../../tsconfig.json" }),
  );
  // Next points this file, which editors read, at the build folder.
  const editors = existsSync("next-env.d.ts") ? readFileSync("next-env.d.ts") : undefined;
  try {
    await runNextBuild(folder);
  } finally {
    if (editors) writeFileSync("next-env.d.ts", editors);
    else rmSync("next-env.d.ts", { force: true });
  }
}

function runNextBuild(folder) {
  const next = path.join("node_modules", "next", "dist", "bin", "next");
  const env = {
    ...process.env,
    BUILD_FOLDER: folder,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
  };
  return new Promise((resolve, reject) => {
    const run = spawn(process.execPath, [next, "build"], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = [];
    run.stdout.on("data", (chunk) => output.push(chunk));
    run.stderr.on("data", (chunk) => output.push(chunk));
    const stop = (signal) => {
      run.kill(signal);
      process.exit(1);
    };
    process.on("SIGINT", stop).on("SIGTERM", stop);
    run.once("error", reject);
    run.once("close", (code) => {
      process.off("SIGINT", stop).off("SIGTERM", stop);
      if (code === 0) return resolve();
      process.stderr.write(`\n${Buffer.concat(output)}\n`);
      reject(new Error("The pages could not be built."));
    });
  });
}

async function buildAnew() {
  const release = await lockBuilds(waiting);
  try {
    const folder = await build();
    if (await holdBuild(folder)) await removeUnusedBuilds(folder);
  } finally {
    release();
  }
}

/** Copies of a chunk differ only in this line. */
const mapLine = /\n\/\/# sourceMappingURL=.*$/;

/** The bundler copies the server into each route: links save two thirds of a start. */
export function shareChunks(folder) {
  const first = new Map();
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    if (!name.endsWith(".js")) continue;
    const file = path.join(folder, name);
    const digest = createHash("sha256")
      .update(readFileSync(file, "utf8").replace(mapLine, ""))
      .digest("hex");
    const original = first.get(digest);
    if (!original) first.set(digest, file);
    else {
      rmSync(file);
      symlinkSync(path.relative(path.dirname(file), original), file);
    }
  }
}

const worthPacking = 1_024;

/** Compresses at the highest level, because it runs once per build. */
export async function pack(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:js|css)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const plain = readFileSync(file);
      if (plain.length >= worthPacking)
        writeFileSync(`${file}.br`, await promisify(brotliCompress)(plain));
    }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await buildAnew().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
