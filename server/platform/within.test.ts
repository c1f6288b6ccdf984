import { expect, test } from "vitest";
import { isTimeout, within } from "./within";

test("work that is done in time gives its result, and is not told to stop", async () => {
  let told: AbortSignal | undefined;
  const work = async (signal: AbortSignal) => {
    told = signal;
    return "done";
  };
  expect(await within(1_000, work)).toBe("done");
  expect(told?.aborted).toBe(false);
});

test("work that takes too long is given up, and told to stop", async () => {
  let stopped = false;
  const endless = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => {
        stopped = true;
        reject(new Error("stopped"));
      });
    });
  const thrown = await within(1, endless).catch((error: unknown) => error);
  expect([isTimeout(thrown), stopped]).toEqual([true, true]);
});

test("what the work throws by itself is no time-out", async () => {
  const thrown = await within(1_000, Promise.reject(new Error("broken"))).catch(
    (error: unknown) => error,
  );
  expect(isTimeout(thrown)).toBe(false);
  expect(thrown).toMatchObject({ message: "broken" });
});
