import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Limiter } from "#server/platform/limiter/limiter";
import { movableClock } from "./movable-clock";

/** The contract of every limiter. `open` gets its clock. */
export function limiterContract(name: string, open: (now: () => Date) => Promise<Limiter>): void {
  describe(`a limiter ${name}`, async () => {
    const clock = movableClock(new Date());
    const limiter = await open(clock.now);
    afterAll(() => limiter.close());
    let subjects = 0;
    const window = { policy: "contract", subject: "", limit: 3 };
    beforeEach(() => {
      clock.set(new Date("2026-03-01T12:00:10Z"));
      // A Redis outlives the run, so subjects must be unique.
      window.subject = `${process.pid}-${performance.timeOrigin}-${name}-${subjects++}`;
    });

    test("lets as many calls pass as the window has, and tells how it stands", async () => {
      const states = [];
      for (let at = 0; at < 5; at++) states.push(await limiter.take(window));
      expect(states.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
        [false, 0],
      ]);
      expect(states[0]).toEqual({
        policy: "contract",
        allowed: true,
        limit: 3,
        remaining: 2,
        reset: 50,
      });
    });

    test("its windows are clock minutes: what was used before does not count after (RL-06)", async () => {
      clock.set(new Date("2026-03-01T12:00:59.999Z"));
      for (let at = 0; at < 3; at++)
        expect(await limiter.take(window)).toMatchObject({ allowed: true, reset: 1 });
      expect(await limiter.take(window)).toMatchObject({ allowed: false });
      clock.advance(0.001);
      expect(await limiter.take(window)).toMatchObject({ allowed: true, remaining: 2, reset: 60 });
    });

    test("looking does not charge", async () => {
      expect(await limiter.peek(window)).toMatchObject({ allowed: true, remaining: 3 });
      for (let at = 0; at < 3; at++) await limiter.take(window);
      expect(await limiter.peek(window)).toMatchObject({ allowed: false, remaining: 0, reset: 50 });
      expect(await limiter.peek(window)).toMatchObject({ allowed: false, remaining: 0 });
    });

    test("what is given back may be taken again, and a refused call took nothing", async () => {
      for (let at = 0; at < 5; at++) await limiter.take(window);
      await limiter.giveBack(window, clock.now());
      expect(await limiter.peek(window)).toMatchObject({ allowed: true, remaining: 1 });
      expect(await limiter.take(window)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.take(window)).toMatchObject({ allowed: false });
    });

    test("more than was taken cannot be given back, nor what a minute took that is over", async () => {
      for (let at = 0; at < 3; at++) await limiter.giveBack(window, clock.now());
      expect(await limiter.peek(window)).toMatchObject({ remaining: 3 });
      const before = clock.now();
      clock.advance(60);
      await limiter.take(window);
      await limiter.giveBack(window, before);
      expect(await limiter.peek(window)).toMatchObject({ remaining: 2 });
    });

    test("subjects and policies have windows of their own", async () => {
      for (let at = 0; at < 4; at++) await limiter.take(window);
      expect(await limiter.take({ ...window, subject: `${window.subject}-other` })).toMatchObject({
        remaining: 2,
      });
      expect(await limiter.take({ ...window, policy: "another" })).toMatchObject({ remaining: 2 });
    });

    test("exactly as many of many parallel calls pass", async () => {
      const wide = { ...window, limit: 50 };
      const states = await Promise.all(Array.from({ length: 200 }, () => limiter.take(wide)));
      expect(states.filter((state) => state.allowed)).toHaveLength(50);
    });
  });
}
