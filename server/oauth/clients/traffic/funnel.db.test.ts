import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import {
  authorizationQuery,
  mintApplication,
  mintCode,
  mintTokens,
  mintVisitor,
  postToken,
  redemption,
  type TestApplication,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { showFirstRunSteps, showFunnel } from "./show-traffic";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const owner = await mintUser(ctx);

async function call(app: TestApplication, accountId: string): Promise<void> {
  const said = {
    requestId: ctx.ids.request(),
    method: "GET",
    route: "/user",
    status: 200,
    failureCode: null,
  };
  ctx.logRequest({
    ...said,
    at: ctx.now(),
    accountId,
    clientId: app.clientId,
    address: null,
    micros: 1_000,
  });
  await ctx.settled();
}

async function deny(app: TestApplication): Promise<void> {
  const { user, browser } = await mintVisitor(ctx);
  await browser.decide(await browser.authorize(authorizationQuery(app)), user, "deny");
}

test("tells how far the players of seven days came, and counts each once", async () => {
  const app = await mintApplication(ctx, owner);
  await deny(app);
  await mintCode(ctx, app, { user: await mintUser(ctx) });
  const user = await mintUser(ctx);
  await postToken(ctx, app, redemption(app, await mintCode(ctx, app, { user })));
  await ctx.settled();
  expect(await showFunnel(ctx, owner, { ...app, range: "7d" })).toEqual({
    shown: 3,
    approved: 2,
    exchanged: 1,
    called: 0,
  });
  const shown = await ctx.database.query
    .select()
    .from(auditLog)
    .where(eq(auditLog.act, "consent.shown"));
  expect(shown.filter(({ clientId }) => clientId === app.clientId)).toHaveLength(3);

  await call(app, user.accountId);
  await call(app, user.accountId);
  await mintTokens(ctx, app, { user });
  await ctx.settled();
  expect(await showFunnel(ctx, owner, { ...app, range: "7d" })).toEqual({
    shown: 3,
    approved: 2,
    exchanged: 1,
    called: 1,
  });

  clock.advance(8 * 86_400);
  expect(await showFunnel(ctx, owner, { ...app, range: "7d" })).toEqual({
    shown: 0,
    approved: 0,
    exchanged: 0,
    called: 0,
  });
});

test("leaves out other applications, and is shown to the application's developer alone", async () => {
  const [app, other] = [await mintApplication(ctx, owner), await mintApplication(ctx, owner)];
  await deny(other);
  await ctx.settled();
  expect(await showFunnel(ctx, owner, { ...app, range: "7d" })).toMatchObject({ shown: 0 });
  await expect(showFunnel(ctx, await mintUser(ctx), { ...app, range: "7d" })).rejects.toMatchObject(
    {
      name: "UnknownOAuthClient",
    },
  );
});

test("a first run goes from code to token to call, and only its developer sees it", async () => {
  const [app, other] = [await mintApplication(ctx, owner), await mintApplication(ctx, owner)];
  const user = await mintUser(ctx);
  const steps = async () => {
    await ctx.settled();
    return Object.entries(await showFirstRunSteps(ctx, owner, app)).flatMap(([step, done]) =>
      done ? [step] : [],
    );
  };
  await call(other, user.accountId);
  expect(await steps()).toEqual([]);
  const code = await mintCode(ctx, app, { user });
  expect(await steps()).toEqual(["code"]);
  await postToken(ctx, app, redemption(app, code));
  expect(await steps()).toEqual(["code", "token"]);
  await call(app, user.accountId);
  expect(await steps()).toEqual(["code", "token", "call"]);
  await expect(showFirstRunSteps(ctx, user, app)).rejects.toMatchObject({
    name: "UnknownOAuthClient",
  });
});
