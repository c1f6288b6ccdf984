import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** The product's folders, without tests. */
const { product } = JSON.parse(
  readFileSync(new URL("source-folders.json", import.meta.url), "utf8"),
);
const sources = [...product, "public", "docs/recipes", "docs/event-readers", "docs/webhooks"];
const ownFiles = [
  "CHANGELOG.md",
  "scripts/build.mjs",
  "scripts/bundle-options.json",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];
const configuration = /^(next\.config|postcss\.config|instrumentation|proxy)\./;
const isForTests = (file) =>
  /\.test\.tsx?$/.test(file) || file.startsWith(path.join("server", "testing"));

/** Holds folders named `<digest of its sources>-<time>`. */
export const buildsFolder = "dist";
const nameOfBuild = /^([0-9a-f]{16})-([0-9a-z]+)$/;
const digestLength = 16;

/** Digests contents, not times, so it is right for fresh clones, copies and deleted files. */
export function digestOfSources() {
  const files = sources.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  const configured = readdirSync(".").filter((name) => configuration.test(name));
  const hash = createHash("sha256").update(process.versions.modules);
  for (const file of [...files, ...configured, ...ownFiles]
    .filter((name) => !isForTests(name))
    .sort())
    if (existsSync(file)) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest("hex").slice(0, digestLength);
}

export const newBuildName = (digest) => `${digest}-${Date.now().toString(36)}`;

/** Newest first. */
function listBuilds() {
  if (!existsSync(buildsFolder)) return [];
  const timeOf = (name) => Number.parseInt(nameOfBuild.exec(name)?.[2] ?? "", 36);
  return readdirSync(buildsFolder)
    .filter((name) => nameOfBuild.test(name))
    .sort((one, other) => timeOf(other) - timeOf(one))
    .map((name) => path.join(buildsFolder, name));
}

/** Without sources it takes the newest build. @returns its folder, or the reason for a new build */
export function findBuild() {
  const builds = listBuilds();
  if (builds.length === 0) return { why: "there is none yet" };
  if (!existsSync("server/main.ts")) return { folder: builds[0] };
  const digest = digestOfSources();
  const folder = builds.find((each) => path.basename(each).startsWith(`${digest}-`));
  return folder ? { folder } : { why: "the sources have changed" };
}

/*
 * Locks are listening Unix sockets: the kernel frees them at exit, so a killed process leaves none.
 */

/** In a build's folder: holds the sockets of processes that run it. */
const usersFolder = "users";
const pollMilliseconds = 300;

/** @param onWait called once if it must wait @returns a function that releases the lock */
export async function lockBuilds(onWait) {
  const name = createHash("sha256").update(realpathSync(".")).digest("hex").slice(0, 24);
  // Abstract on Linux: no file that could be stale.
  const address =
    process.platform === "linux"
      ? `\0adjutant-build-${name}`
      : path.join(tmpdir(), `adjutant-build-${name}.sock`);
  for (let said = false; ; ) {
    const release = await listen(address);
    if (release) return release;
    if (await answers(address)) {
      if (!said) onWait();
      said = true;
    } else if (!address.startsWith("\0")) rmSync(address, { force: true });
    await wait(pollMilliseconds);
  }
}

/**
 * Marks the build as used until this process ends. The caller holds the lock.
 * @returns false if no socket can be made
 */
export async function holdBuild(folder) {
  try {
    mkdirSync(path.join(folder, usersFolder), { recursive: true });
    // Relative, because a socket path has at most 107 characters.
    return (
      (await listen(
        path.join(folder, usersFolder, `${process.pid}-${randomBytes(3).toString("hex")}`),
      )) !== undefined
    );
  } catch {
    return false;
  }
}

/** The caller holds the lock. */
export async function removeUnusedBuilds(kept) {
  for (const folder of listBuilds())
    if (folder !== kept && !(await isUsed(folder))) {
      // A half-removed build must not be taken for complete.
      const removing = path.join(buildsFolder, `.removing-${path.basename(folder)}`);
      renameSync(folder, removing);
    }
  for (const name of readdirSync(buildsFolder))
    if (/^\.(?:building|removing)-/.test(name))
      rmSync(path.join(buildsFolder, name), { recursive: true, force: true, maxRetries: 3 });
}

async function isUsed(folder) {
  const users = path.join(folder, usersFolder);
  if (!existsSync(users)) return false;
  for (const name of readdirSync(users)) if (await answers(path.join(users, name))) return true;
  return false;
}

/** @returns a function that stops listening, or undefined if another process listens */
function listen(address) {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => {
      // The lock alone must not keep the process alive.
      server.unref();
      resolve(() => server.close());
    });
  });
}

/** True also for a process that is too busy to accept. */
function answers(address) {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error) =>
      resolve(error.code !== "ECONNREFUSED" && error.code !== "ENOENT"),
    );
  });
}
