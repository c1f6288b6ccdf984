import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** All that goes into a build. A test file is not part of it, nor is what only tests import. */
const { product } = JSON.parse(readFileSync(new URL("source-folders.json", import.meta.url), "utf8"));
const sources = [...product, "public"];
const ownFiles = ["scripts/build.mjs", "scripts/pack.mjs", "package.json", "package-lock.json", "tsconfig.json"];
const configuration = /^(next\.config|postcss\.config|instrumentation|proxy)\./;
const isForTests = (file) => /\.test\.tsx?$/.test(file) || file.startsWith(path.join("server", "testing"));

/** Where the builds lie, each in a folder named `<digest of its sources>-<time>`. */
export const buildsFolder = "dist";
const nameOfBuild = /^([0-9a-f]{16})-([0-9a-z]+)$/;
const digestLength = 16;

/**
 * A digest of the sources. Contents and not times of change: a fresh clone, a copied folder and a deleted file all
 * give the right answer.
 */
export function digestOfSources() {
  const files = sources.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  const configured = readdirSync(".").filter((name) => configuration.test(name));
  const hash = createHash("sha256").update(process.versions.modules);
  for (const file of [...files, ...configured, ...ownFiles].filter((name) => !isForTests(name)).sort())
    if (existsSync(file)) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest("hex").slice(0, digestLength);
}

/** The name of a build that begins now. */
export const newBuildName = (digest) => `${digest}-${Date.now().toString(36)}`;

/** The folders of whole builds, the newest first. A build gets such a name only when it is whole. */
export function listBuilds() {
  if (!existsSync(buildsFolder)) return [];
  const timeOf = (name) => Number.parseInt(nameOfBuild.exec(name)?.[2] ?? "", 36);
  return readdirSync(buildsFolder)
    .filter((name) => nameOfBuild.test(name))
    .sort((one, other) => timeOf(other) - timeOf(one))
    .map((name) => path.join(buildsFolder, name));
}

/**
 * The build to start: of the sources as they are, or, in an installation that carries no sources, the newest.
 * @returns its folder, or why a build is needed, as the end of a sentence
 */
export function findBuild() {
  const builds = listBuilds();
  if (builds.length === 0) return { why: "there is none yet" };
  if (!existsSync("server/main.ts")) return { folder: builds[0] };
  const digest = digestOfSources();
  const folder = builds.find((each) => path.basename(each).startsWith(`${digest}-`));
  return folder ? { folder } : { why: "the sources have changed" };
}
