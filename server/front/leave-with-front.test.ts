import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";

const module = path.join(import.meta.dirname, "leave-with-front.ts");

/** A process that waits for something, then says so; it never ends by itself. */
async function held(afterwards: string) {
  const code = `import { leaveWithFront } from ${JSON.stringify(module)};
    const { serve } = leaveWithFront();
    setInterval(() => {}, 1_000);
    process.send("begun");
    ${afterwards}`;
  const child = fork("-", [], {
    execArgv: ["--import", "tsx", "--input-type=module", "--eval", code],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}

test("pages that still wait for their database ignore the service's signal, and end when their front does", async () => {
  const child = await held("");
  child.kill("SIGTERM");
  child.disconnect();
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("pages that serve first finish when their front ends", async () => {
  const child = await held("await serve(); process.exitCode = 7; process.exit();");
  child.kill("SIGTERM");
  child.disconnect();
  expect(await once(child, "exit")).toEqual([7, null]);
});
