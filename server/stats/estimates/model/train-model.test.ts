import { expect, test } from "vitest";
import { type EstimateSubject, estimateScore, readModel } from "./estimate-model";
import { ModelCard } from "./model-card";
import { rowOf, splitOf, type TrainingRow, trainModel } from "./train-model";

const options = { trainedAt: new Date("2026-03-01T00:00:00Z"), pause: async () => {} };

/** A synthetic world: stats grow with drugs, refills and age, plus a hidden part. */
function player(playerId: number) {
  const draw = (n: number) => {
    const hash = Math.imul((playerId * 31 + n) ^ 0x9e3779b9, 0x85ebca6b);
    return (((hash ^ (hash >>> 15)) >>> 0) % 10_000) / 10_000;
  };
  const ageDays = 20 * 200 ** draw(1);
  const xanax = ageDays * 3 * draw(2);
  const energyRefills = ageDays * draw(3);
  const counters = { xanax, energyRefills, energyDrinks: 0, elo: 1_000, networth: draw(4) * 1e9 };
  const logScore =
    2 + 0.7 * Math.log1p(250 * xanax + 150 * energyRefills + 100 * ageDays) + 0.1 * (draw(5) - 0.5);
  const level = Math.min(100, Math.round(5 + 10 * Math.log10(1 + ageDays) + 20 * draw(6)));
  return {
    playerId,
    subject: { level, ageDays, counters } satisfies EstimateSubject,
    score: Math.exp(logScore),
  };
}
const people = Array.from({ length: 1_500 }, (_, index) => player(index + 1));
const label = (score: number, lowerBound = false) => ({
  score,
  sigma: 0.005,
  lowerBound,
  ageDays: 0,
});
const exactRow = ({ playerId, subject, score }: (typeof people)[number]): TrainingRow => {
  const row = rowOf(playerId, subject, [label(score)]);
  if (!row) throw new Error("A label makes a row.");
  return row;
};

test("a model learns what counters say, and its card tells how well on players that it never saw", async () => {
  const trained = await trainModel(people.map(exactRow), options);
  if (!trained) throw new Error("There are enough players.");
  const card = ModelCard.parse(trained.card);
  expect(card.metrics.median).toBeLessThan(0.08);
  expect(card.metrics.median * 2.5).toBeLessThan(card.baseline.median);
  const test = people.filter(({ playerId }) => splitOf(playerId) === "test");
  expect(card.rows.test).toBe(test.length);
  const wrong = test.filter(
    ({ subject, score }) => Math.abs(estimateScore(trained.model, subject) / score - 1) > 0.5,
  );
  expect(wrong).toEqual([]);
});

test("equal rows give an equal model, and a stored model answers as the trained one", async () => {
  const rows = people.slice(0, 400).map(exactRow);
  const [first, second] = [await trainModel(rows, options), await trainModel(rows, options)];
  if (!first) throw new Error("There are enough players.");
  expect(second).toEqual(first);
  const stored = readModel(JSON.parse(JSON.stringify(first.model)));
  if (!stored) throw new Error("This code made the model.");
  expect(readModel({ ...stored, features: [...stored.features, "luck"] })).toBeUndefined();
  for (const { subject } of people.slice(400, 420))
    expect(estimateScore(stored, subject)).toBe(estimateScore(first.model, subject));
});

test("bounds of players who are never beaten lift what the model thinks of the strongest", async () => {
  const strength = people.map(({ score }) => score).sort((a, b) => a - b);
  const cap = strength[Math.floor(0.8 * strength.length)] ?? 0;
  const beaten = people.filter(({ score }) => score <= cap);
  const strong = people.filter(({ score }) => score > cap);
  const bounds = strong.flatMap(
    ({ playerId, subject, score }) => rowOf(playerId, subject, [label(score * 0.9, true)]) ?? [],
  );
  const without = await trainModel(beaten.map(exactRow), options);
  const withBounds = await trainModel([...beaten.map(exactRow), ...bounds], options);
  const bias = (trained: typeof without) =>
    strong.reduce(
      (sum, { subject, score }) =>
        sum + Math.log(estimateScore(trained?.model ?? fail(), subject) / score),
      0,
    ) / strong.length;
  expect(bias(withBounds)).toBeGreaterThan(bias(without) - 0.001);
  expect(Math.abs(bias(withBounds))).toBeLessThan(0.1);
});
const fail = (): never => {
  throw new Error("There are enough players.");
};

test("a player without any data gets a number, and one unlike all others none far beyond the strongest", async () => {
  const trained = await trainModel(people.slice(0, 400).map(exactRow), options);
  const model = trained?.model ?? fail();
  const nobody = estimateScore(model, { level: null, ageDays: null, counters: {} });
  expect(Number.isFinite(nobody)).toBe(true);
  const giant = {
    level: 100,
    ageDays: 1e9,
    counters: { xanax: 1e12, energyRefills: 1e12, energyDrinks: 1e12, elo: 1e6 },
  };
  expect(estimateScore(model, giant)).toBeLessThan(Math.exp(model.range[1] + 1.001));
});

test("a model is not made of too few players", async () => {
  expect(await trainModel(people.slice(0, 1).map(exactRow), options)).toBeNull();
  expect(rowOf(1, { level: 1, ageDays: 1, counters: {} }, [])).toBeNull();
});

test("a bound counts where nothing else is known of a player, and many fights not more than one exact one", () => {
  const { subject } = player(1);
  const both = rowOf(1, subject, [label(100, true), label(50)]);
  expect(both?.target).toBeCloseTo(Math.log(50), 9);
  expect(both?.lowerBound).toBe(false);
  expect(rowOf(1, subject, [label(100, true), label(120, true)])).toMatchObject({
    target: Math.log(120),
    lowerBound: true,
  });
  const many = rowOf(
    1,
    subject,
    Array.from({ length: 50 }, () => label(50)),
  );
  expect(many?.weight).toBe(1);
});
