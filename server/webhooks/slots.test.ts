import { expect, test } from "vitest";
import { createSlots } from "./slots";

const { signal } = new AbortController();

/** What is granted is noted by the application's name; the test gives it back. */
function asking(slots: ReturnType<typeof createSlots>) {
  const granted: string[] = [];
  const releases: (() => void)[] = [];
  return {
    granted,
    ask: (clientId: string, ended = signal) =>
      void slots.take(clientId, ended).then((release) => {
        granted.push(release ? clientId : `${clientId} gave up`);
        if (release) releases.push(release);
      }),
    release: () => releases.shift()?.(),
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

test("a process has a hundred attempts under way and no more", async () => {
  const { granted, ask, settled, release } = asking(createSlots());
  for (let n = 0; n < 150; n++) ask(`application ${n}`);
  await settled();
  expect(granted).toHaveLength(100);
  release();
  await settled();
  expect(granted).toHaveLength(101);
});

test("an application with many attempts waits for its turn; the others have theirs in between", async () => {
  const { granted, ask, settled, release } = asking(createSlots(1));
  for (let n = 0; n < 4; n++) ask("busy");
  for (const name of ["a", "b"]) ask(name);
  for (let n = 0; n < 6; n++) {
    await settled();
    release();
  }
  expect(granted).toEqual(["busy", "busy", "a", "b", "busy", "busy"]);
});

test("who gives up while waiting takes no turn, and a permit that is given back twice counts once", async () => {
  const slots = createSlots(1);
  const { granted, ask, settled, release } = asking(slots);
  const gaveUp = new AbortController();
  const first = await slots.take("first", signal);
  ask("impatient", gaveUp.signal);
  ask("next");
  ask("last");
  gaveUp.abort();
  first?.();
  first?.();
  await settled();
  expect(granted).toEqual(["impatient gave up", "next"]);
  release();
  await settled();
  expect(granted).toContain("last");
});
