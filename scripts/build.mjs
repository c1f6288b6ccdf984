import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { fingerprintOfSources, stampFile, whyBuild } from "./build-state.mjs";
import { pack } from "./pack.mjs";

const lockFile = "dist/.building";
const say = (line) => process.stdout.write(`${line}\n`);

/**
 * Builds the pages (.next) and the two processes (dist/server.js, dist/worker.js).
 * @throws where a part fails; its own output is then already printed
 */
export async function build() {
  // The stamp is of the sources as they were before: a file saved meanwhile makes the next start build again.
  const fingerprint = fingerprintOfSources();
  rmSync(stampFile, { force: true });
  await step("Server and worker", bundle);
  await step("Pages", pages);
  await step("Packing", pack);
  writeFileSync(stampFile, fingerprint);
}

/** Builds where the build is missing or older than the sources. Two processes that start at once share one build. */
export async function buildIfNeeded() {
  if (whyBuild() === undefined) return;
  mkdirSync("dist", { recursive: true });
  const release = await lock();
  try {
    const why = whyBuild();
    if (why === undefined) return;
    say(`Building Adjutant, because ${why}. This takes about half a minute.`);
    await build();
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

async function bundle() {
  const { build: esbuild } = await import("esbuild");
  await esbuild({
    entryPoints: { server: "server/main.ts", worker: "server/jobs/main.ts" },
    outdir: "dist",
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // Only this repository's own code is bundled. Packages load from node_modules, where they find their own files.
    packages: "external",
    logLevel: "warning",
  });
}

function pages() {
  const next = path.join("node_modules", "next", "dist", "bin", "next");
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  return new Promise((resolve, reject) => {
    const run = spawn(process.execPath, [next, "build"], { env, stdio: ["ignore", "pipe", "pipe"] });
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

/** Held by a file with the holder's process id; a holder that is gone holds nothing. */
async function lock() {
  for (let said = false; ; said = true) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: "wx" });
      const release = () => rmSync(lockFile, { force: true });
      process.once("exit", release);
      return release;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const holder = Number(existsSync(lockFile) ? readFileSync(lockFile, "utf8") : 0);
    if (holder && !isAlive(holder)) rmSync(lockFile, { force: true });
    else if (!said) say("Another process is building Adjutant; waiting for it.");
    await wait(300);
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await build().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
