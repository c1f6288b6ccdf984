import "./node-version.mjs";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  buildsFolder,
  digestOfSources,
  findBuild,
  holdBuild,
  lockBuilds,
  newBuildName,
  removeUnusedBuilds,
} from "./builds.mjs";
import { pack, shareChunks } from "./shrink-build.mjs";

const say = (line) => process.stdout.write(`${line}\n`);
const waiting = () => say("Another process is building Adjutant; waiting for it.");

/**
 * Builds the pages (.next) and the processes (server.js, worker.js) into a folder of their own. Processes that run an
 * earlier build keep it. The folder gets its name when the build is whole. Call it with the lock.
 * @returns the folder
 * @throws where a part fails; its own output is then already printed
 */
async function build() {
  // The name is of the sources as they were before: a file saved meanwhile makes the next start build again.
  const name = newBuildName(digestOfSources());
  const unfinished = path.join(buildsFolder, `.building-${randomBytes(4).toString("hex")}`);
  mkdirSync(unfinished, { recursive: true });
  try {
    // What a server reads beside its pages while it runs.
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

/**
 * The folder of a build of the sources as they are, built where there is none. Processes that start at once share one
 * build. It stays until this process has ended.
 */
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
 * Packages are bundled too: a start that looks up and reads a thousand files takes a third of a second longer. Those stay outside
 * that read files of their own, and the driver, which an installation patches. The banner is for packages written for require().
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
  // A start builds in the process that becomes the server, and the bundler's own would stay beside it.
  await esbuild.stop();
}

async function pages(folder) {
  writeFileSync(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "../../tsconfig.json" }),
  );
  // Next points this file, which editors read, at the folder that it builds into.
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

/** `npm run build`: builds whether or not there is a build of these sources. */
async function buildAnew() {
  const release = await lockBuilds(waiting);
  try {
    const folder = await build();
    if (await holdBuild(folder)) await removeUnusedBuilds(folder);
  } finally {
    release();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await buildAnew().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
