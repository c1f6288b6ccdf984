import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readSourceTree } from "#server/testing/source-tree";

const root = path.join(import.meta.dirname, "..");
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), "utf8"));
const sources = readSourceTree();

/** The lowest releases without the known vulnerabilities. */
const floors = {
  // GHSA-2xp9-vwfh-vxw4
  next: "16.3.3",
  // CVE-2026-39356
  "drizzle-orm": "0.45.2",
  // CVE-2025-68130
  "@trpc/server": "11.8.0",
};

test.each(Object.entries(floors))(
  "DP-02: %s is at least %s, in the lock file and as installed",
  (name, floor) => {
    const { version: locked } = read("package-lock.json").packages[`node_modules/${name}`];
    const { version: installed } = read(`node_modules/${name}/package.json`);
    expect(installed).toBe(locked);
    expect(Number(asNumber(installed))).toBeGreaterThanOrEqual(asNumber(floor));
  },
);

const asNumber = (version: string): number =>
  version.split(".").reduce((sum, part) => sum * 10_000 + Number.parseInt(part, 10), 0);

/** Unmaintained packages: each is wrapped by one file of ours. */
test.each(["lucia", "arctic"])("DP-04: one file alone loads %s, and that has a test", (name) => {
  const files = sources
    .filter((file) => file.imports.some(({ target, typeOnly }) => target === name && !typeOnly))
    .map((file) => file.path);
  expect(files.filter((file) => !/\.test\.ts$/.test(file))).toHaveLength(1);
  const [file = ""] = files;
  const folder = path.posix.dirname(file);
  const module = file.replace(/\.ts$/, "");
  const tested = sources.some(
    (each) =>
      /\.test\.ts$/.test(each.path) &&
      (path.posix.dirname(each.path) === folder ||
        each.imports.some(({ target }) => target === `${module}.ts`)),
  );
  expect(tested).toBe(true);
});

/** Milliseconds. */
const auditLimit = 30_000;

test("DP-01: no package that the product runs with has a known weakness that is high or critical", {
  timeout: 40_000,
}, ({ skip }) => {
  const run = spawnSync("npm", ["audit", "--omit=dev", "--json"], {
    cwd: root,
    encoding: "utf8",
    timeout: auditLimit,
  });
  const report = answerOf(run.stdout);
  if (!report) {
    process.stdout.write(
      "note: the package registry answers no audits here: npm audit (DP-01) is skipped\n",
    );
    skip();
    return;
  }
  expect(report).toMatchObject({ high: 0, critical: 0 });
});

/** Vulnerabilities by severity; undefined if the registry was not reached. */
function answerOf(text: string): { high: number; critical: number } | undefined {
  try {
    return JSON.parse(text).metadata?.vulnerabilities;
  } catch {
    return undefined;
  }
}
