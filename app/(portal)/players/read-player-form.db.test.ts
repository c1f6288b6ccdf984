import { afterAll, expect, test } from "vitest";
import { POST as postSignInKey } from "#app/sign-in/key/route";
import { testDatabase } from "#server/testing/database";
import { at, plainBrowser, shareContext } from "#server/testing/plain-browser";
import { testContext } from "#server/testing/test-context";
import { findOwnPlayer } from "#server/users/store";
import { demoPersonOf } from "#simulator/demo-people";
import { POST as postRead } from "./[playerId]/read/route";

const { ctx } = await testContext({
  database: await testDatabase(),
  settings: { rates: { refresh: 2 } },
});
afterAll(shareContext(ctx));

const visitor = plainBrowser(ctx);
await visitor.post(postSignInKey, { game_key: demoPersonOf("member").key });
const csrf = await visitor.csrf();
const read = async (playerId: number) => {
  const response = await visitor.post(at(postRead, { playerId: String(playerId) }), { csrf });
  return response.headers.get("location");
};

test("an unknown player is read by the button, with the reader's key and at the reader's charge", async () => {
  const { playerId } = demoPersonOf("outsider");
  expect(await findOwnPlayer(ctx.database, playerId)).toBeUndefined();
  expect(await read(playerId)).toBe(`/players/${playerId}?done=read`);
  expect(await findOwnPlayer(ctx.database, playerId)).toMatchObject({ playerId });
  expect(await read(999_999_999)).toBe("/players/999999999?error=1100");
  expect(await read(999_999_998)).toBe("/players/999999998?error=4000");
});
