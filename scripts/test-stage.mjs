import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** Milliseconds. A busy machine takes several times as long as another. */
const timeLimit = 60 * 60_000;
/** These lines are shown even on success. */
const note = /^note: .*$/gm;

/**
 * Stops at the first failure, and prints output only then.
 * @param stage.counts counts its tests; else the stage counts as one
 * @returns the counts; a failure outside of any test counts as one
 */
export async function runStage({ title, commands, counts, env = {} }) {
  const start = performance.now();
  const { code, output } = await runAll(commands, env);
  const ok = code === 0;
  const counted = counts?.() ?? { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
  if (!ok) counted.failed ||= 1;
  if (!ok) process.stdout.write(`\n${output}\n`);
  for (const line of new Set(output.match(note))) process.stdout.write(`${line}\n`);
  for (const line of counted.faults ?? []) process.stdout.write(`${line}\n`);
  const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  process.stdout.write(
    `${ok ? "ok  " : "FAIL"} ${title.padEnd(18)}${seconds.padStart(8)}   ${inWords(counted)}\n`,
  );
  return counted;
}

export const inWords = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;

async function runAll(commands, env) {
  let output = "";
  for (const command of commands) {
    const run = await runOne(command, env);
    output += run.output;
    if (run.code !== 0) return { code: run.code, output };
  }
  return { code: 0, output };
}

function runOne(command, env) {
  // A process group: a hanging stage ends with all its children.
  const run = spawn(command, {
    shell: true,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: environment(env),
  });
  let output = "";
  const keep = (chunk) => {
    output += chunk;
  };
  run.stdout.on("data", keep);
  run.stderr.on("data", keep);
  const end = () => process.kill(-run.pid, "SIGKILL");
  const interrupted = () => {
    end();
    process.exit(130);
  };
  const timer = setTimeout(end, timeLimit);
  process.on("SIGINT", interrupted).on("SIGTERM", interrupted);
  return new Promise((resolve) => {
    run.once("close", (code, signal) => {
      clearTimeout(timer);
      process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
      resolve({
        code: code ?? 1,
        output: signal ? `${output}\n${command}: ended by ${signal}\n` : output,
      });
    });
  });
}

const environment = (own) => ({
  ...process.env,
  PATH: `${path.resolve("node_modules/.bin")}${path.delimiter}${process.env.PATH}`,
  CI: "true",
  NO_COLOR: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  ...own,
});

const readReport = (file) =>
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;

/** Zeros without a report. `faults` has a line per test that failed its first try. */
export function countsOfVitest(file) {
  const report = readReport(file);
  const results = (report?.testResults ?? []).flatMap(({ assertionResults }) => assertionResults);
  return {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    faults: results
      .filter(({ failureMessages }) => failureMessages.length > 0)
      .map(({ fullName, status, failureMessages }) =>
        fault(fullName, status === "passed", failureMessages[0]),
      ),
  };
}

export function countsOfPlaywright(file) {
  const report = readReport(file);
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = report?.stats ?? {};
  const faults = (report?.suites ?? []).flatMap(specsOf).flatMap(({ file: of, title, tests }) =>
    tests
      .filter(({ status }) => status === "flaky" || status === "unexpected")
      .map(({ status, results }) => {
        const { message, location } = results[0]?.error ?? {};
        return fault(`${of}:${location?.line}: ${title}`, status === "flaky", message);
      }),
  );
  return { passed: expected + flaky, failed: unexpected, skipped, faults };
}

const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];

const faultLength = 300;

const fault = (title, isLate, message = "") =>
  `note: failed${isLate ? " once, passed at the second try" : ""}: ${title}: ${message.slice(0, faultLength).replaceAll(/\s+/g, " ")}`;
