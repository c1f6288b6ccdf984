import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { banAccount, searchAccounts } from "./accounts";
import { AccountSearch } from "./contract";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const names = ["marten", "Mara", "MARTHA", "mar_x", "mar%", "Omar", "Élan", "éland"];
const users = new Map<string, Awaited<ReturnType<typeof mintUser>>>();
for (const name of names) {
  users.set(name, await mintUser(ctx, { name }));
  clock.advance(1);
}
const search = (filter: Parameters<typeof AccountSearch.parse>[0]) =>
  searchAccounts(ctx, AccountSearch.parse(filter));
const found = async (text: string) => (await search({ search: text })).rows.map(({ name }) => name);

test("an account is found by how the player's name begins, in any case of letters, in the order of names", async () => {
  expect(await found("mar")).toEqual(["mar%", "mar_x", "Mara", "marten", "MARTHA"]);
  expect(await found("MART")).toEqual(["marten", "MARTHA"]);
  expect(await found("marten")).toEqual(["marten"]);
  expect(await found("arten")).toEqual([]);
  expect((await search({ search: "mar" })).byName).toBe(true);
});

test("signs that mean something elsewhere are letters like others", async () => {
  expect(await found("mar%")).toEqual(["mar%"]);
  expect(await found("mar_")).toEqual(["mar_x"]);
  expect(await found("\\")).toEqual([]);
  expect(await found("É")).toEqual(["Élan", "éland"]);
});

test("an account is found by the player's whole number", async () => {
  const mara = users.get("Mara");
  const { rows, byName } = await search({ search: String(mara?.playerId) });
  expect(rows.map(({ name }) => name)).toEqual(["Mara"]);
  expect(byName).toBe(false);
  expect(await found("999999999")).toEqual([]);
});

test("without a search all are listed, newest first, with what hangs on each", async () => {
  const mara = users.get("Mara");
  if (!mara) throw new Error("There is no Mara.");
  await mintTokens(ctx, await mintApplication(ctx, mara), { user: mara });
  const { rows, more, byName } = await search({});
  expect(rows.map(({ name }) => name)).toEqual([...names].reverse());
  expect([more, byName]).toEqual([false, false]);
  expect(rows.find(({ name }) => name === "Mara")).toMatchObject({ applications: 1, consents: 1 });
  expect(rows.find(({ name }) => name === "Omar")).toMatchObject({ applications: 0, consents: 0 });
});

test("a page behind the last row is empty, and banned ones can be listed alone, by name too", async () => {
  const banned = users.get("marten");
  const admin = { ...(await mintUser(ctx, { name: "Warden" })), admin: true };
  await banAccount(ctx, admin, { accountId: banned?.accountId ?? "", reason: "Sold data." });
  expect((await search({ search: "mar", page: 2 })).rows).toEqual([]);
  expect((await search({ state: "banned" })).rows.map(({ name }) => name)).toEqual(["marten"]);
  expect((await search({ state: "banned", search: "mar" })).rows.map(({ name }) => name)).toEqual([
    "marten",
  ]);
  expect((await search({ state: "banned", search: "oma" })).rows).toEqual([]);
});
