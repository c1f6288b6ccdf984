import { spawnSync } from "node:child_process";
import { hash, randomBytes } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BuildOptions, build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { driverPatchDigest } from "#db/connection";
import bundleOptions from "./bundle-options.json" with { type: "json" };

const root = path.join(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(tmpdir(), "adjutant-unpatched-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    encoding: "utf8",
    // A closed port: a process that went on would wait for its database.
    env: {
      DATABASE_URL: "postgres://127.0.0.1:1/none",
      SERVER_SECRET: randomBytes(48).toString("base64"),
      NODE_ENV: "production",
    },
    timeout: 20_000,
  });

const patch = path.join(folder, "patches/postgres+3.4.9.patch");
const applyPatch = (...args: string[]) => {
  const applied = run(
    path.join(root, "node_modules/patch-package/index.js"),
    "--error-on-fail",
    ...args,
  );
  expect(applied).toMatchObject({ status: 0, stdout: expect.stringContaining("postgres@3.4.9 ✔") });
};

/** The installed packages, with a copy of the driver without the patch. */
beforeAll(async () => {
  const modules = path.join(folder, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(path.join(root, "node_modules")))
    if (name !== "postgres")
      symlinkSync(path.join(root, "node_modules", name), path.join(modules, name));
  cpSync(path.join(root, "node_modules/postgres"), path.join(modules, "postgres"), {
    recursive: true,
  });
  for (const name of ["package.json", "patches"])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  applyPatch("--reverse");
  await build({
    absWorkingDir: root,
    entryPoints: {
      server: "server/main.ts",
      worker: "server/jobs/main.ts",
      migrate: "scripts/migrate.ts",
    },
    outdir: folder,
    ...(bundleOptions as BuildOptions),
  });
});

const processes = ["server.js", "worker.js", "migrate.js"];

function expectRefusal(process: string): void {
  const { status, stdout, stderr } = run(path.join(folder, process));
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(
    /^The PostgreSQL driver lacks the patch of this release: run npm ci without --ignore-scripts.*\.\n$/,
  );
}

test.each(processes)(
  "%s does not start on a driver without its patch, as --ignore-scripts installs it, and says in one sentence what to do",
  expectRefusal,
);

test("nor does one start on the patch of another release, as packages are that were installed before an update", () => {
  writeFileSync(patch, readFileSync(patch, "utf8").replaceAll(driverPatchDigest, "0123456789ab"));
  applyPatch();
  for (const process of processes) expectRefusal(process);
});

test("the mark that a process looks for is the digest of the patch without the mark", () => {
  const lines = readFileSync(path.join(root, "patches/postgres+3.4.9.patch"), "utf8").split("\n");
  const marks = lines.filter((line) => line.includes("adjutantPatch"));
  expect(marks).toEqual(Array(2).fill(`+  adjutantPatch: "${driverPatchDigest}",`));
  const rest = lines.filter(
    (line) => !line.includes("adjutantPatch") && !line.startsWith("index "),
  );
  expect(hash("sha256", rest.join("\n")).slice(0, driverPatchDigest.length)).toBe(
    driverPatchDigest,
  );
});
