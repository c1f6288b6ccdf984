import { expect, test } from "vitest";
import { estimateModels } from "#db/schema/stats";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { showModelCard } from "./estimate-stats";
import type { ModelCard } from "./model/model-card";

const { ctx } = await testContext({ database: await testDatabase() });
const on = ctx.database.query;

const metrics = {
  count: 10,
  median: 0.1,
  p90: 0.3,
  within125: 0.9,
  within2: 1,
  within2Total: 0.9,
  bias: 0,
};
const card = {
  trainedAt: "2026-02-01T00:00:00.000Z",
  rows: { train: 80, validation: 10, test: 10, lowerBounds: 4 },
  metrics,
  baseline: { ...metrics, median: 0.4 },
  ...{ byScore: [], usualRange: [0.8, 1.2] },
} satisfies ModelCard;

const mint = (inForce: boolean, told: unknown) =>
  on
    .insert(estimateModels)
    .values({ id: ctx.ids.uuid(), trainedAt: ctx.now(), inForce, model: {}, card: told });

test("while no model is in force there is no card", async () => {
  expect(await showModelCard(ctx)).toBeNull();
  await mint(false, card);
  expect(await showModelCard(ctx)).toBeNull();
});

test("a card that cannot be read is shown as none, and the one in force as it is", async () => {
  await mint(true, { of: "an older shape" });
  expect(await showModelCard(ctx)).toBeNull();
  await on.delete(estimateModels);
  await mint(true, card);
  expect(await showModelCard(ctx)).toEqual(card);
});
