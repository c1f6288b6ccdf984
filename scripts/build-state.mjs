import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** All that goes into a build. A test file is not part of it, nor is what only tests import. */
const sources = ["app", "server", "db", "public"];
const ownFiles = ["scripts/build.mjs", "scripts/pack.mjs", "package.json", "package-lock.json", "tsconfig.json"];
const configuration = /^(next\.config|postcss\.config|instrumentation|proxy)\./;
const isForTests = (file) => /\.test\.tsx?$/.test(file) || file.startsWith(path.join("server", "testing"));

const stampFile = "dist/.build-stamp";
const products = ["dist/server.js", "dist/worker.js", ".next/BUILD_ID"];

/**
 * A digest of the sources. Contents and not times of change: a fresh clone, a copied folder and a deleted file all
 * give the right answer.
 */
export function fingerprintOfSources() {
  const files = sources.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  const configured = readdirSync(".").filter((name) => configuration.test(name));
  const hash = createHash("sha256").update(process.versions.modules);
  for (const file of [...files, ...configured, ...ownFiles].filter((name) => !isForTests(name)).sort())
    if (existsSync(file)) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

/**
 * Why a build is needed, as the end of a sentence, or undefined where the one that stands is good. An installation that
 * carries the build without its sources is taken as it is.
 */
export function whyBuild() {
  const missing = products.find((file) => !existsSync(file));
  if (missing) return "there is none yet";
  if (!existsSync("server/main.ts")) return undefined;
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
  return stamp === fingerprintOfSources() ? undefined : "the sources have changed";
}

export { stampFile };
