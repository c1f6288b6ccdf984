import { expect, test } from "vitest";
import { judgeWorld } from "./judge-world";

/** A world of thousands is asked call by call. */
const timeout = 120_000;

test(
  "in a simulated world estimates are close to what is true, also of the strongest and of players that nobody fought",
  async () => {
    const { unseen, neverFought, strongest, baseline } = await judgeWorld({
      seed: 1,
      players: 4_000,
    });
    expect(unseen.median).toBeLessThanOrEqual(0.16);
    expect(unseen.within2).toBeGreaterThanOrEqual(0.98);
    expect(neverFought.within2).toBeGreaterThanOrEqual(0.98);
    expect(strongest.bias).toBeGreaterThan(-0.15);
    expect(baseline.median / unseen.median).toBeGreaterThanOrEqual(2.5);
  },
  timeout,
);
