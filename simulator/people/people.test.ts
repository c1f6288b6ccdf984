import { expect, test } from "vitest";
import { processorTime } from "#server/testing/processor-time";
import { createPlayers } from "#simulator/players";
import { scoreOf } from "./battle-stats";
import { createPeople, dayNumberOf } from "./people";

const epoch = new Date("2026-01-01T12:00:00.000Z");
const count = 12_000;
const { traits } = createPlayers({ seed: 3, epoch, count });
const people = createPeople({ seed: 3, epoch, traits });
const everybody = Array.from({ length: count }, (_, index) => index);
const today = dayNumberOf(epoch);
const onDay = (day: number) => new Date(day * 86_400_000);

const sorted = (values: number[]) => values.sort((one, other) => one - other);
const quantile = (ordered: readonly number[], share: number) =>
  ordered[Math.floor(share * (ordered.length - 1))] ?? 0;

test("scores spread as the real game's do: 5, 50 and 95 % near 560, 5,600 and 44,000, the median total near 8 million", () => {
  const scores = sorted(everybody.map((index) => people.score(index, epoch)));
  const totals = sorted(
    everybody.map((index) =>
      Object.values(people.stats(index, epoch)).reduce((sum, stat) => sum + stat, 0),
    ),
  );
  const seen = [
    quantile(scores, 0.05),
    quantile(scores, 0.5),
    quantile(scores, 0.95),
    quantile(totals, 0.5),
  ];
  const wanted = [560, 5_600, 44_000, 8_000_000];
  for (const [place, value] of seen.entries()) {
    expect(value / (wanted[place] ?? 1)).toBeGreaterThan(0.7);
    expect(value / (wanted[place] ?? 1)).toBeLessThan(1.4);
  }
});

test("the total lies between S²/4 and S²/2.75, but for the one in a hundred who trains a single stat", () => {
  const outside = everybody.filter((index) => {
    const stats = people.stats(index, epoch);
    const total = Object.values(stats).reduce((sum, stat) => sum + stat, 0);
    expect(total).toBeGreaterThanOrEqual(scoreOf(stats) ** 2 / 4 - 1);
    return total > scoreOf(stats) ** 2 / 2.75;
  });
  expect(outside.length / count).toBeGreaterThan(0.005);
  expect(outside.length / count).toBeLessThan(0.03);
});

test("battle stats grow from day to day, slower the older a player is, and stand still for who is silent", () => {
  const growth = everybody.map((index) => {
    const [before, after] = [onDay(today), onDay(today + 10)].map((at) =>
      Object.values(people.stats(index, at)).reduce((sum, stat) => sum + stat, 0),
    );
    return {
      silent: traits(index).silentDays !== null,
      perDay: ((after ?? 0) / (before ?? 1) - 1) / 10,
    };
  });
  const playing = sorted(growth.filter(({ silent }) => !silent).map(({ perDay }) => perDay));
  expect(playing[0]).toBeGreaterThanOrEqual(0);
  expect(quantile(playing, 0.1)).toBeGreaterThan(0.0002);
  expect(quantile(playing, 0.5)).toBeLessThan(0.007);
  expect(new Set(growth.filter(({ silent }) => silent).map(({ perDay }) => perDay))).toEqual(
    new Set([0]),
  );
});

/** Counters that may fall: a run of days breaks, fortunes change. */
const mayFall = new Set(["other.activity.streak.current", "networth.total"]);

test("no lifetime counter ever falls", () => {
  const wrong: unknown[] = [];
  for (const index of everybody.slice(0, 200)) {
    for (let day = today - 8; day < today + 30; day++) {
      const after = people.counters(index, day + 1);
      for (const [name, value] of Object.entries(people.counters(index, day))) {
        if (!mayFall.has(name) && (after[name] ?? 0) < value) wrong.push({ index, day, name });
        if (!Number.isSafeInteger(value) || value < 0) wrong.push({ index, day, name, value });
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("two snapshots a day apart differ for most who play", () => {
  const playing = everybody.filter((index) => traits(index).silentDays === null).slice(0, 1_000);
  const changed = playing.filter(
    (index) =>
      JSON.stringify(people.counters(index, today)) !==
      JSON.stringify(people.counters(index, today + 1)),
  );
  expect(changed.length / playing.length).toBeGreaterThan(0.9);
});

test("stats that were set hold from then on, and the past stays as it was", () => {
  const before = people.stats(7, onDay(today));
  const set = { strength: 1_000_000, defense: 40_000, speed: 90_000, dexterity: 10_000 };
  people.setStats(7, set, onDay(today + 1));
  expect(people.stats(7, onDay(today))).toEqual(before);
  expect(people.stats(7, onDay(today + 5))).toEqual(set);
  expect(people.score(7, onDay(today + 5))).toBe(1_000 + 200 + 300 + 100);
});

test("a player's stats and counters take microseconds", () => {
  // A new day each time, so that nothing is cached.
  let day = today + 3;
  const score = () => {
    for (const index of everybody) people.score(index, onDay(day));
    day += 1;
  };
  const countUp = () => {
    for (const index of everybody.slice(0, 2_000)) people.counters(index, day);
    day += 1;
  };
  // Milliseconds per player, with margin: measured at some 2 and 30 microseconds.
  expect(processorTime(score) / count).toBeLessThan(0.05);
  expect(processorTime(countUp) / 2_000).toBeLessThan(0.3);
});
