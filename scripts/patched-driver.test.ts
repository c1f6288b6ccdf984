import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = path.join(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(tmpdir(), "adjutant-unpatched-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    encoding: "utf8",
    // Nothing listens there: a process that went on would wait for its database.
    env: {
      DATABASE_URL: "postgres://127.0.0.1:1/none",
      SERVER_SECRET: randomBytes(48).toString("base64"),
      NODE_ENV: "production",
    },
    timeout: 20_000,
  });

/** The packages as they are here, but for the driver: that is a copy from which the patch was taken. */
beforeAll(async () => {
  const modules = path.join(folder, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(path.join(root, "node_modules")))
    if (name !== "postgres") symlinkSync(path.join(root, "node_modules", name), path.join(modules, name));
  cpSync(path.join(root, "node_modules/postgres"), path.join(modules, "postgres"), { recursive: true });
  for (const name of ["package.json", "patches"])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  const reversed = run(path.join(root, "node_modules/patch-package/index.js"), "--reverse", "--error-on-fail");
  expect(reversed).toMatchObject({ status: 0, stdout: expect.stringContaining("postgres@3.4.9 ✔") });
  await build({
    absWorkingDir: root,
    entryPoints: { server: "server/main.ts", worker: "server/jobs/main.ts", migrate: "scripts/migrate.ts" },
    outdir: folder,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
});

test.each(["server.js", "worker.js", "migrate.js"])(
  "%s does not start on a driver without its patch, as --ignore-scripts installs it, and says in one sentence what to do",
  (process) => {
    const { status, stdout, stderr } = run(path.join(folder, process));
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^The PostgreSQL driver is not patched: run npm ci without --ignore-scripts.*\.\n$/);
  },
);
