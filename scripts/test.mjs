import "./node-version.mjs";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { countsOfPlaywright, countsOfVitest, inWords, runStage } from "./test-stage.mjs";

/**
 * `npm test` runs every stage, `npm test types unit` those named. Quiet where all is well. The last line counts the
 * tests that passed and failed. The stages of the two lists below run beside each other, because each spends half of its
 * time waiting for what it tests.
 */
process.chdir(path.join(import.meta.dirname, ".."));
const folder = mkdtempSync(path.join(tmpdir(), "adjutant-test-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
// The reports stay until the next run, for `npm run conformance`.
const reports = ".cache/test-reports";
mkdirSync(reports, { recursive: true });
const report = (stage) => path.join(reports, `${stage}.json`);

const vitest = (title, project) => {
  const reporters = `--reporter=default --reporter=json --outputFile.json=${report(project)}`;
  return {
    title,
    commands: [`vitest run --project ${project} ${reporters} --passWithNoTests`],
    counts: () => countsOfVitest(report(project)),
  };
};

const stages = {
  types: { title: "Types", commands: ["next typegen", "tsc --noEmit"] },
  lint: { title: "Lint and format", commands: ["biome check --error-on-warnings"] },
  unused: { title: "Unused code", commands: ["knip --no-progress"] },
  architecture: vitest("Architecture", "architecture"),
  unit: vitest("Units", "unit"),
  pglite: vitest("On PGlite", "pglite"),
  postgres: vitest("On PostgreSQL", "postgres"),
  redis: vitest("On Redis", "redis"),
  openapi: {
    title: "OpenAPI and AsyncAPI documents",
    commands: [
      `tsx scripts/openapi.ts > ${folder}/openapi.json`,
      `tsx scripts/openapi.ts asyncapi > ${folder}/asyncapi.json`,
      `redocly lint ${folder}/openapi.json ${folder}/asyncapi.json`,
    ],
  },
  build: { title: "Build", commands: ["node scripts/build.mjs"] },
  e2e: {
    title: "In the browser",
    commands: ["playwright test"],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report("e2e") },
    counts: () => countsOfPlaywright(report("e2e")),
  },
};

/** A build writes types that the compiler reads: they are checked before it. */
const first = ["types"];
const besideEachOther = [
  ["lint", "unused", "architecture", "unit", "pglite", "postgres", "redis", "openapi"],
  ["build", "e2e"],
];

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(stages, name));
if (unknown) {
  process.stderr.write(
    `There is no stage "${unknown}". There are: ${Object.keys(stages).join(", ")}.\n`,
  );
  process.exit(2);
}

const total = { passed: 0, failed: 0, skipped: 0 };
await runInOrder(first);
await Promise.all(besideEachOther.map(runInOrder));
process.stdout.write(`${inWords(total)}\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function runInOrder(names) {
  for (const name of names) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    // A stage that ends before it writes one must not be counted by the last one.
    rmSync(report(name), { force: true });
    const counted = await runStage(stages[name]);
    for (const kind of Object.keys(total)) total[kind] += counted[kind];
  }
}
