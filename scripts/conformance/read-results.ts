import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { idsIn } from "./find-tests";

/** Where `npm test` leaves its reports, below the project's folder. */
export const reportFolder = ".cache/test-reports";

/** How often the tests of a case came out which way, over all stages. */
export interface Result {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const VitestReport = z.object({
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) })),
});

interface PlaywrightSuite {
  readonly title: string;
  readonly specs?: readonly { readonly title: string; readonly tests: readonly { readonly status: string }[] }[];
  readonly suites?: readonly PlaywrightSuite[];
}
const Suite: z.ZodType<PlaywrightSuite> = z.lazy(() =>
  z.object({
    title: z.string(),
    specs: z.array(z.object({ title: z.string(), tests: z.array(z.object({ status: z.string() })) })).optional(),
    suites: z.array(Suite).optional(),
  }),
);
const PlaywrightReport = z.object({ suites: z.array(Suite) });

interface Outcome {
  readonly name: string;
  readonly status: keyof Result;
}

const statuses: Readonly<Record<string, keyof Result>> = {
  passed: "passed",
  expected: "passed",
  skipped: "skipped",
  pending: "skipped",
  todo: "skipped",
};

const outcome = (name: string, status: string): Outcome => ({ name, status: statuses[status] ?? "failed" });

/** What one report says, whichever of the two runners wrote it. */
export function outcomesIn(text: string): Outcome[] {
  const json: unknown = JSON.parse(text);
  const vitest = VitestReport.safeParse(json);
  if (vitest.success)
    return vitest.data.testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ fullName, status }) => outcome(fullName, status)),
    );
  return PlaywrightReport.parse(json).suites.flatMap((suite) => outcomesOf(suite, ""));
}

function outcomesOf({ title, specs = [], suites = [] }: PlaywrightSuite, above: string): Outcome[] {
  const within = `${above} ${title}`;
  return [
    ...specs.flatMap((spec) => spec.tests.map(({ status }) => outcome(`${within} ${spec.title}`, status))),
    ...suites.flatMap((suite) => outcomesOf(suite, within)),
  ];
}

/** Folds the reports of the last run of each stage by the ids in the tests' names. */
export function readResults(root: string): ReadonlyMap<string, Result> {
  const folder = path.join(root, reportFolder);
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  return foldOutcomes(files.flatMap((name) => outcomesIn(readFileSync(path.join(folder, name), "utf8"))));
}

export function foldOutcomes(outcomes: readonly Outcome[]): ReadonlyMap<string, Result> {
  const results = new Map<string, Result>();
  for (const { name, status } of outcomes)
    for (const id of new Set(idsIn(name))) {
      const before = results.get(id) ?? { passed: 0, failed: 0, skipped: 0 };
      results.set(id, { ...before, [status]: before[status] + 1 });
    }
  return results;
}
