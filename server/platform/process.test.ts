import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { createLog } from "./log";
import { redirectConsole } from "./process";

/** Milliseconds. Far more than a process of a few modules takes to start and to end. */
const longEnough = 30_000;

/**
 * A process that gets the signal while its start is blocked, before it installs its own handlers.
 */
const told = `
  import { endOnSignals } from "./server/platform/process.ts";
  process.on("SIGTERM", () => process.exit(2));
  process.kill(process.pid, "SIGTERM");
  for (const from = Date.now(); Date.now() < from + 100; );
  endOnSignals({ error() {} }, async () => console.log("ended in order"));
  setTimeout(() => process.exit(3), ${longEnough});
`;

test("a signal that comes in the last moment of a start ends the process in order", () => {
  const root = path.join(import.meta.dirname, "../..");
  const command = ["--import", "tsx", "--input-type=module", "--eval", told];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: root,
    timeout: 2 * longEnough,
  });
  expect([status, String(stdout), String(stderr)]).toEqual([0, "ended in order\n", ""]);
}, 90_000);

test("what a library prints is one line of the log, whatever a visitor sent (SC-09)", () => {
  const { console: library } = globalThis;
  const before = { ...library };
  const listeners = process.listeners("warning");
  const lines: string[] = [];
  redirectConsole(createLog("debug", { to: { write: (line) => void lines.push(line) } }));
  const forged = 'x\0\n{"level":50,"msg":"forged"}';
  library.error("⨯", new Error(forged, { cause: new Error(forged) }));
  library.warn(forged);
  library.log({ secret: "hush" }, new Error("one"));
  process.emit("warning", new Error(forged));
  Object.assign(library, before);
  process.removeAllListeners("warning");
  for (const listener of listeners) process.on("warning", listener);
  expect(lines.join("").trimEnd().split("\n")).toHaveLength(4);
  const said = lines.map((line) => JSON.parse(line));
  expect(said.map(({ msg }) => msg)).not.toContain("forged");
  expect(said[0]).toMatchObject({ level: 50, text: "⨯", error: { message: forged } });
  expect(lines.join("")).not.toContain("hush");
});
