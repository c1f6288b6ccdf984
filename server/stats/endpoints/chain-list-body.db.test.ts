import { describe, expect, test } from "vitest";
import { chainListWorld } from "#server/testing/chain-list-world";
import { rate } from "#server/testing/dispatch-world";

const { ctx, clock, world, ask, ids, target } = await chainListWorld();

describe("the body", () => {
  test("may be left out, or be empty (mistake 57)", async () => {
    await target(10, 375);
    expect(await ids(undefined)).toEqual([10]);
    expect(await ids({})).toEqual([10]);
  });

  test("250 targets may be asked for (mistake 57)", async () => {
    expect((await ask({ limit: 250 })).status).toBe(200);
  });

  test.each([
    { name: "the documented name", body: { is_factionless: true }, found: [10] },
    { name: "the short name", body: { factionless: true }, found: [10] },
    { name: "false", body: { is_factionless: false }, found: [10, 11] },
    {
      name: "the documented name before the short",
      body: { is_factionless: false, factionless: true },
      found: [10, 11],
    },
  ])("factionless by $name (mistake 57)", async ({ body, found }) => {
    await target(10, 375, { factionId: null });
    await target(11, 375, { factionId: 7002 });
    expect(await ids(body)).toEqual(found);
  });

  test.each([
    {
      name: "equal bounds",
      body: { minimum_difficulty: 2, maximum_difficulty: 2, minimum_level: 10, maximum_level: 10 },
    },
    { name: "a fair fight above the cap", body: { maximum_difficulty: 50 } },
    { name: "fields that nobody declared", body: { __proto__: { limit: 0 }, colour: "red" } },
  ])("$name: accepted (FZ-05)", async ({ body }) => {
    expect((await ask(body)).status).toBe(200);
  });

  test.each([
    { body: { minimum_difficulty: 2.5, maximum_difficulty: 2 }, field: "maximum_difficulty" },
    { body: { minimum_level: 60, maximum_level: 50 }, field: "maximum_level" },
    { body: { minimum_difficulty: 0.99 }, field: "minimum_difficulty" },
    { body: { minimum_difficulty: "2" }, field: "minimum_difficulty" },
    { body: { maximum_difficulty: null }, field: "maximum_difficulty" },
    { body: '{"minimum_difficulty": 1e309}', field: "minimum_difficulty" },
    { body: { minimum_level: 0 }, field: "minimum_level" },
    { body: { maximum_level: 101 }, field: "maximum_level" },
    { body: { minimum_level: 1.5 }, field: "minimum_level" },
    { body: { limit: 0 }, field: "limit" },
    { body: { limit: 251 }, field: "limit" },
    { body: { limit: 1_000_000_000 }, field: "limit" },
    { body: { limit: -1 }, field: "limit" },
    { body: { sort_order: "respect" }, field: "sort_order" },
    { body: { is_factionless: "false" }, field: "is_factionless" },
    { body: { is_inactive: 1 }, field: "is_inactive" },
    { body: [], field: "body" },
    { body: "null", field: "body" },
    { body: '{"limit": NaN}', field: "body" },
  ])("$body: refused, and $field named (FZ-05, ER-06)", async ({ body, field }) => {
    const { status, json } = await ask(body);
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 1000, details: { errors: [{ field }] } });
  });

  test("every bad field is named at once (ER-06)", async () => {
    const { json } = await ask({ limit: 0, sort_order: "x", minimum_level: 0 });
    const fields = (json as { details: { errors: { field: string }[] } }).details.errors.map(
      ({ field }) => field,
    );
    expect(fields.sort()).toEqual(["limit", "minimum_level", "sort_order"]);
  });

  test("that is not JSON by its type is refused (ER-05)", async () => {
    expect(
      (await ask("limit=5", { headers: { "content-type": "application/x-www-form-urlencoded" } }))
        .status,
    ).toBe(415);
  });
});

test("the sixth call of a minute is refused, both buckets are charged, and other routes pass (RL-04)", async () => {
  for (let call = 0; call < 5; call++) expect((await ask()).status).toBe(200);
  const sixth = await ask();
  expect(sixth.status).toBe(429);
  expect(sixth.json).toMatchObject({ code: 4000, details: { policy: "chain-list" } });
  expect(rate(sixth).slice(0, 2)).toEqual([5, 0]);
  const other = await world.call("/api/v1/faction/crime/names", { token: "mine" });
  expect(other.status).toBe(200);
  // Five or six calls of the holder's 250, and this one.
  expect(rate(other)[1]).toBeLessThanOrEqual(ctx.settings.rates.holder - 6);
  clock.advance(60);
  expect((await ask()).status).toBe(200);
});
