import { afterEach, expect, test } from "vitest";
import { createSyncedClock } from "./clock";

const start = Date.parse("2026-03-01T12:00:00Z");
let clock: Awaited<ReturnType<typeof createSyncedClock>> | undefined;
afterEach(() => clock?.stop());

/** A reference with given round trips, delayed on the way back only. */
function slowReference(roundTrips: number[]) {
  const world = { elapsed: 1_000, ahead: 0, roundTrips };
  const reference = async () => {
    const told = new Date(start + world.elapsed + world.ahead);
    const roundTrip = world.roundTrips.shift();
    if (roundTrip === undefined) throw new Error("The reference does not answer.");
    world.elapsed += roundTrip;
    return told;
  };
  return {
    world,
    reference,
    error: () => (clock?.now().getTime() ?? 0) - (start + world.elapsed + world.ahead),
  };
}

const open = async (roundTrips: number[]) => {
  const made = slowReference(roundTrips);
  clock = await createSyncedClock(made.reference, () => made.world.elapsed);
  return made;
};

test("of several round trips the shortest is believed", async () => {
  const { error, world } = await open([2_000, 400, 8, 900, 700]);
  expect(Math.abs(error())).toBeLessThanOrEqual(4);
  expect(world.roundTrips).toEqual([]);
});

test("one that is quick needs no second one", async () => {
  const { world } = await open([1, 9_999]);
  expect(world.roundTrips).toEqual([9_999]);
});

test("measurements through a stall of 45 seconds leave the clock as it was", async () => {
  const { error, world } = await open([2]);
  world.elapsed += 60_000;
  world.roundTrips.push(45_000, 30_000, 20_000, 5_000, 1_000);
  await clock?.measure();
  expect(Math.abs(error())).toBeLessThanOrEqual(1);
});

test("a reference that does not answer, or tells no time, leaves the clock as it was", async () => {
  const { error, world } = await open([2]);
  await clock?.measure();
  world.ahead = Number.NaN;
  world.roundTrips.push(1);
  await clock?.measure();
  world.ahead = 0;
  expect(Math.abs(error())).toBeLessThanOrEqual(1);
});

test("a reference that jumps, as another host's clock after a failover, is followed at the next short round trip", async () => {
  const { error, world } = await open([2]);
  world.ahead = -3_600_000;
  world.roundTrips.push(40, 40, 40, 40, 40);
  await clock?.measure();
  expect(Math.abs(error())).toBeLessThanOrEqual(20);
});

test("where all round trips are long the clock still follows, as well as it can", async () => {
  const { error, world } = await open([300, 300, 300, 300, 300]);
  world.ahead = 10_000;
  world.elapsed += 60_000;
  world.roundTrips.push(300, 300, 300, 300, 300);
  await clock?.measure();
  expect(Math.abs(error())).toBeLessThanOrEqual(150);
});

test("a first measurement that fails is told", async () => {
  await expect(open([])).rejects.toThrow("does not answer");
});
