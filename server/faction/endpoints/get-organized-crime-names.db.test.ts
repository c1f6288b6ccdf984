import { expect, test } from "vitest";
import { crimeTypes } from "#db/schema/players";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { refreshStaleCrimeTypes } from "../crimes/refresh-crimes";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const call = callAs(ctx, {});
const { openKey } = await enrol(ctx, "member");

test("before the first sync the list is empty, and nobody may keep that answer", async () => {
  const { status, text, headers } = await call("/faction/crime/names");
  expect({ status, text }).toEqual({ status: 200, text: "[]" });
  expect(headers.get("cache-control")).toBe("no-store");
});

test("the game's crime names are listed once they were read, and kept for an hour", async () => {
  expect(await refreshStaleCrimeTypes(ctx, openKey)).toEqual({ types: 26 });
  const first = await call("/faction/crime/names");
  expect(first.json).toHaveLength(26);
  expect(first.headers.get("cache-control")).toBe("private, max-age=3600");
  await database.query
    .insert(crimeTypes)
    .values({ name: "Zealous", difficulty: 1, lastSeen: clock.now() });
  clock.advance(1_000);
  const second = await call("/faction/crime/names");
  expect(second.text).toBe(first.text);
  expect(second.headers.get("cache-control")).toBe("private, max-age=2600");
  clock.advance(2_600);
  expect((await call("/faction/crime/names")).json).toContain("Zealous");
});

test("types are read twice a day, not at every look", async () => {
  expect(await refreshStaleCrimeTypes(ctx, openKey)).toEqual({ types: 0 });
  clock.advance(12 * 3_600);
  expect(await refreshStaleCrimeTypes(ctx, openKey)).toEqual({ types: 26 });
});

test("a type that the game drops is gone a day later, not at once", async () => {
  const names = async () => (await call("/faction/crime/names")).json;
  clock.advance(3_600);
  expect(await names()).toContain("Zealous");
  clock.advance(24 * 3_600);
  simulator.control.clearCache();
  await refreshStaleCrimeTypes(ctx, openKey);
  clock.advance(3_600);
  expect(await names()).not.toContain("Zealous");
  expect(await names()).toHaveLength(26);
});
