import { expect, test } from "vitest";
import { createWorld } from "#simulator/world";
import { createWars } from "./wars";

const epoch = new Date("2026-03-01T12:00:10.000Z");
const second = Math.floor(epoch.getTime() / 1000);
const day = 86_400;
const open = () =>
  createWars({ seed: 1, world: createWorld({ seed: 1, epoch, players: 2_000, factions: 40 }) });

test("every faction has about one war of two to three days in any thirty", () => {
  const wars = open();
  const all = Array.from({ length: 40 }, (_, faction) =>
    wars.ofFaction(faction, second, second + 60 * day),
  );
  const lengths = all.flat().map(({ start, end }) => ((end ?? 0) - start) / day);
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(3);
  const perMonth = all.flat().length / 40 / 2;
  expect(perMonth).toBeGreaterThan(0.7);
  expect(perMonth).toBeLessThan(1.5);
});

test("both sides know of their war, and no other faction is in it", () => {
  const wars = open();
  for (let faction = 0; faction < 40; faction++) {
    for (const war of wars.ofFaction(faction, second, second + 20 * day)) {
      expect(war.sides).toContain(faction);
      expect(wars.between(war.sides[0], war.sides[1], war.start)).toBe(true);
      expect(wars.between(war.sides[1], war.sides[0], war.start)).toBe(true);
      expect(wars.between(war.sides[0], war.sides[1], war.end ?? 0)).toBe(false);
    }
  }
});

test("the two demo factions are never drawn against each other", () => {
  const wars = open();
  const ofDemo = wars.ofFaction(0, second, second + 30 * day);
  expect(ofDemo.filter(({ sides }) => sides.includes(1))).toEqual([]);
});

test("a war that is started lasts until it is stopped, once", () => {
  const wars = open();
  wars.start(0, 1, second);
  expect([-1, 0, 30 * day].map((later) => wars.between(1, 0, second + later))).toEqual([
    false,
    true,
    true,
  ]);
  expect(wars.stop(1, 0, second + 500)).toBe(true);
  expect([499, 500].map((later) => wars.between(0, 1, second + later))).toEqual([true, false]);
  expect(wars.stop(1, 0, second + 600)).toBe(false);
});
