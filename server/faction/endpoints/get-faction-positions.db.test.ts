import { expect, test } from "vitest";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";
import { abilityByFlag } from "../contract";
import { refreshPositions } from "../positions/refresh-positions";

const database = await testDatabase();
const { ctx } = await testContext({ database });
const { playerId, openKey: key } = await enrol(ctx, "developer");
const scopes = ["faction"] as const;
const call = (id: number) => callAs(ctx, { playerId: id, scopes })("/faction/positions");

test("before they were read no position is known", async () => {
  expect(await call(playerId)).toMatchObject({ status: 404, json: { code: 1103 } });
});

test("who is in no faction has no positions (BR-11)", async () => {
  const { id } = await mintPlayer(ctx, { factionId: null });
  expect(await call(id)).toMatchObject({ status: 404, json: { code: 1102 } });
});

test("members see their own faction's positions without any parameter, in exactly 26 fields (game 7.65)", async () => {
  await refreshPositions(ctx, 7001, { key, priority: "high" });
  const { status, json } = await call(playerId);
  expect(status).toBe(200);
  const { positions } = json as { positions: Record<string, unknown>[] };
  expect(positions.map(({ name }) => name)).toEqual([
    "Banker",
    "Co-leader",
    "Leader",
    "Member",
    "Officer",
    "Recruit",
  ]);
  const flags = Object.keys(abilityByFlag);
  for (const position of positions) {
    expect(Object.keys(position).sort()).toEqual(
      ["_id", "name", "faction_tid", "default", ...flags].sort(),
    );
    expect(Object.keys(position)).toHaveLength(26);
    expect(position).toMatchObject({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      faction_tid: 7001,
    });
  }
  const granted = (name: string) =>
    flags.filter((flag) => positions.find((position) => position.name === name)?.[flag] === true);
  expect(granted("Leader")).toEqual(flags);
  expect(granted("Recruit")).toEqual([]);
  expect(granted("Banker")).toEqual([
    "use_medical_item",
    "access_fac_api",
    "give_money",
    "give_points",
    "adjust_balances",
  ]);
  expect(positions.find(({ name }) => name === "Member")).toMatchObject({ default: true });
});

test("the ability for organized crimes is found under the game's own spelling (game 7.52)", async () => {
  const { json } = await call(playerId);
  const { positions } = json as { positions: Record<string, unknown>[] };
  expect(positions.find(({ name }) => name === "Officer")).toMatchObject({ plan_init_oc: true });
});

test("another faction's positions are nobody's business, not even for a parameter", async () => {
  const { id } = await mintPlayer(ctx, { factionId: 7002 });
  const answer = await callAs(ctx, { playerId: id, scopes })(
    "/faction/positions?faction_id=7001&factiontid=7001",
  );
  expect(answer).toMatchObject({ status: 404, json: { code: 1103 } });
});

test("every answer says that the endpoint goes away", async () => {
  const { headers } = await call(playerId);
  expect(headers.get("deprecation")).toBe("@1767225600");
  expect(headers.get("sunset")).toBe("Fri, 31 Dec 2027 23:59:59 GMT");
  expect(headers.get("link")).toContain('rel="deprecation"');
});
