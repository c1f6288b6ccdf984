import "./node-version.mjs";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { countsOfPlaywright, countsOfVitest, inWords, runStage } from "./test-stage.mjs";

/** `npm test`, `npm run test:all`, `npm test types unit`. The last line counts tests. */
process.chdir(path.join(import.meta.dirname, ".."));
const folder = mkdtempSync(path.join(tmpdir(), "adjutant-test-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
// For `npm run conformance`.
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

const playwright = (title, name, choice) => ({
  title,
  commands: [`playwright test ${choice}`],
  env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report(name) },
  counts: () => countsOfPlaywright(report(name)),
});

/** Only the tagged pages of `pages.e2e.ts`. */
const smoke = "first-call consent deny without-script banking machine pages";
const smokeTests = String.raw`--grep "^(?!.*pages\.e2e\.ts)|@smoke"`;

const stages = {
  types: { title: "Types", commands: ["next typegen", "tsc --noEmit"] },
  lint: { title: "Lint and format", commands: ["biome check --error-on-warnings"] },
  unused: { title: "Unused code", commands: ["knip --no-progress"] },
  architecture: vitest("Architecture", "architecture"),
  unit: vitest("Units", "unit"),
  postgres: vitest("On PostgreSQL", "postgres"),
  embedded: vitest("On PGlite, a few", "embedded"),
  pglite: vitest("On PGlite", "pglite"),
  faults: vitest("Faults", "faults"),
  redis: vitest("On Redis", "redis"),
  openapi: {
    title: "API documents",
    commands: [
      `tsx scripts/openapi.ts > ${folder}/openapi.json`,
      `tsx scripts/openapi.ts asyncapi > ${folder}/asyncapi.json`,
      `redocly lint ${folder}/openapi.json ${folder}/asyncapi.json`,
    ],
  },
  bench: { title: "Bench", commands: ["tsc -p bench", "vitest run --root bench"] },
  build: { title: "Build", commands: ["node scripts/build.mjs"] },
  smoke: playwright("Browser smoke", "smoke", `--project=flows ${smoke} ${smokeTests}`),
  e2e: playwright("In the browser", "e2e", ""),
};

const onlyInAll = ["pglite", "faults", "redis", "bench", "e2e"];
/** Contained in `pglite` and `e2e`. */
const notInAll = ["embedded", "smoke"];
/** The compiler reads types that a build writes. */
const first = ["types"];
/** The lists run side by side, because each spends half of its time waiting. */
const sideBySide = [
  [
    ...["lint", "unused", "architecture", "unit", "embedded", "postgres"],
    ...["pglite", "faults", "redis", "openapi", "bench"],
  ],
  ["build", "smoke", "e2e"],
];

const wanted = wantedStages(process.argv.slice(2));
const total = { passed: 0, failed: 0, skipped: 0 };
await runInOrder(first);
await Promise.all(sideBySide.map(runInOrder));
process.stdout.write(`${inWords(total)}\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

function wantedStages(named) {
  const all = Object.keys(stages);
  if (named.length === 0) return all.filter((name) => !onlyInAll.includes(name));
  if (named.includes("all")) return all.filter((name) => !notInAll.includes(name));
  const unknown = named.find((name) => !all.includes(name));
  if (!unknown) return named;
  process.stderr.write(`There is no stage "${unknown}". There are: ${all.join(", ")}, all.\n`);
  process.exit(2);
}

async function runInOrder(names) {
  for (const name of names) {
    if (!wanted.includes(name)) continue;
    // A stage may fail before it writes its report.
    rmSync(report(name), { force: true });
    const counted = await runStage(stages[name]);
    for (const kind of Object.keys(total)) total[kind] += counted[kind];
  }
}
