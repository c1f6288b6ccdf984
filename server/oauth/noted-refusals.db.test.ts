import { count, desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import { mintApplication, postToken } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const owner = await mintUser(ctx);
const on = ctx.database.query;
const failed = eq(auditLog.act, "token_request.refused");
const fields = {
  grant_type: "authorization_code",
  code: "x",
  redirect_uri: "https://client.test/cb",
};

test("one address that fails in the name of many clients writes sixty lines a minute, and is answered as before", async () => {
  const clients = [];
  for (let n = 0; n < 5; n++) clients.push(await mintApplication(ctx, owner));
  const peer = { address: "203.0.113.7" };
  for (let n = 0; n < 15; n++)
    for (const { clientId } of clients) {
      const answer = await postToken(ctx, null, { ...fields, client_id: clientId }, peer);
      expect((await answer.json()).error).toBe("invalid_client");
    }
  await ctx.settled();
  expect((await on.select({ n: count() }).from(auditLog).where(failed))[0]?.n).toBe(60);
});

test("a refused request is a client's act where it proved itself, and nobody's where it was only named", async () => {
  clock.advance(60);
  const [app, open] = [
    await mintApplication(ctx, owner),
    await mintApplication(ctx, owner, { kind: "public" }),
  ];
  const actorAfter = async (answer: Promise<Response>) => {
    await answer;
    await ctx.settled();
    clock.advance(1);
    const [newest] = await on
      .select()
      .from(auditLog)
      .where(failed)
      .orderBy(desc(auditLog.at))
      .limit(1);
    return [newest?.actor, newest?.clientId];
  };
  expect(await actorAfter(postToken(ctx, app, fields))).toEqual([
    `client:${app.clientId}`,
    app.clientId,
  ]);
  expect(await actorAfter(postToken(ctx, { ...app, clientSecret: "wrong" }, fields))).toEqual([
    "anonymous",
    app.clientId,
  ]);
  expect(await actorAfter(postToken(ctx, open, fields))).toEqual(["anonymous", open.clientId]);
});
