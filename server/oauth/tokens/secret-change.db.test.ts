import { expect, test } from "vitest";
import type { Database, PoolHandles } from "#db/client";
import { testDatabase } from "#server/testing/database";
import {
  basic,
  formRequest,
  mintApplication,
  mintTokens,
  revokeToken,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource } from "#server/testing/world";
import { answerIntrospection } from "../http";
import { rehashAccessToken } from "./store";

const database = await testDatabase();
const before = await testContext({ database, settings: { serverSecret: "a".repeat(50) } });
const secrets = { serverSecret: "b".repeat(50), previousServerSecret: "a".repeat(50) };
const app = await mintApplication(before.ctx, await mintUser(before.ctx));
const minted: string[] = [];
for (let n = 0; n < 3; n++) {
  const { access_token } = await mintTokens(before.ctx, app, { user: await mintUser(before.ctx) });
  minted.push(access_token);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A token from before the change; a concurrent instance moves it after each lookup. */
async function overtaken() {
  const token = minted.pop() ?? "";
  let from = before.ctx.keyring.hmac("token", token).hash;
  const move = async () => {
    const to = ctx.keyring.hmac("token", token);
    await rehashAccessToken(database.query, { from, to });
    from = to.hash;
  };
  const get = (statement: object, key: string | symbol): unknown => {
    const value: unknown = Reflect.get(statement, key);
    if (key !== "execute" || typeof value !== "function") return value;
    return async (...values: unknown[]) => {
      const rows: unknown = await Reflect.apply(value, statement, values);
      await move();
      return rows;
    };
  };
  const raced: Database = {
    ...database,
    statement<S>(name: string, build: (on: PoolHandles) => S): S {
      const statement = database.statement(name, build);
      return name === "access_tokens_by_hash" && isObject(statement)
        ? new Proxy<S & object>(statement, { get })
        : statement;
    },
  };
  const { ctx } = await testContext({ database: raced, beside: before, settings: secrets });
  return { ctx, token };
}

test("a token that another call moves to the new server secret at this moment is found all the same", async () => {
  const { ctx, token } = await overtaken();
  expect(await ctx.tokens.authenticate(token)).toBeDefined();
});

test("a revocation that is answered has revoked, also a token that moves to the new server secret at this moment", async () => {
  const { ctx, token } = await overtaken();
  expect((await revokeToken(ctx, app, token)).status).toBe(200);
  expect(await ctx.tokens.authenticate(token)).toBeUndefined();
});

test("introspection finds it too", async () => {
  const { ctx, token } = await overtaken();
  const request = formRequest("introspect", { token }, { authorization: basic(app) });
  const answer = await answerIntrospection(ctx, request, { address: testSource.address });
  expect(await answer.json()).toMatchObject({ active: true });
});
