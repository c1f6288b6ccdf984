import { expect, test } from "vitest";
import { closeSession, createSession, readSession } from "#server/auth/sessions";
import { testDatabase } from "#server/testing/database";
import {
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  refresh,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource, visitor } from "#server/testing/world";
import { deleteApplication } from "./clients/application-acts";
import { revokeConsents } from "./consents/consent-acts";
import { listConsents } from "./consents/list-consents";
import { revokeToken } from "./tokens/token-acts";

const database = await testDatabase();
const before = await testContext({ database, settings: { tokenCache: true } });
const { ctx, clock } = before;
const developer = await mintUser(ctx);

/** Only the database survives. */
const restarted = async () =>
  (await testContext({ database, beside: before, settings: { tokenCache: true } })).ctx;

test("whatever was replaced, used, revoked or ended is refused after a restart too (RE-05)", async () => {
  const app = await mintApplication(ctx, developer);
  const { clientId } = app;
  const users = {
    rotates: await mintUser(ctx),
    revokes: await mintUser(ctx),
    removes: await mintUser(ctx),
  };

  const rotated = await mintTokens(ctx, app, { user: users.rotates });
  const live = await (await refresh(ctx, app, rotated.refresh_token ?? "")).json();
  const code = await mintCode(ctx, app, { user: users.rotates });
  expect((await postToken(ctx, app, redemption(app, code))).status).toBe(200);
  const revoked = await mintTokens(ctx, app, { user: users.revokes });
  const client = await ctx.tokens.findClient(clientId);
  if (client)
    await revokeToken(
      ctx,
      { ...visitor, kind: "client", client },
      { token: revoked.refresh_token ?? "" },
    );
  const removed = await mintTokens(ctx, app, { user: users.removes });
  for (const { consentId } of await listConsents(ctx, users.removes))
    await revokeConsents(ctx, users.removes, { consentIds: [consentId] });
  const gone = await mintApplication(ctx, developer);
  const orphan = await mintTokens(ctx, gone, { user: users.rotates });
  await deleteApplication(ctx, developer, {
    clientId: gone.clientId,
    confirmName: "Test application",
  });
  const browser = { address: null, userAgent: null };
  const { token } = await createSession(ctx, database.query, {
    accountId: developer.accountId,
    from: browser,
    proof: "game-key",
  });
  await closeSession(ctx, database.query, token);

  clock.advance(ctx.settings.lifetimes.refreshReuse + 1);
  const next = await restarted();
  for (const tokens of [rotated, revoked, removed, orphan])
    expect(await next.tokens.authenticate(tokens.access_token)).toBeUndefined();
  expect(await readSession(next, token, testSource)).toBeNull();
  expect((await postToken(next, gone, redemption(gone, code))).status).toBe(401);
  expect(await next.tokens.authenticate(live.access_token)).toBeDefined();
  for (const tokens of [revoked, removed, rotated])
    expect(await (await refresh(next, app, tokens.refresh_token ?? "")).json()).toMatchObject({
      error: "invalid_grant",
    });
  expect(await (await postToken(next, app, redemption(app, code))).json()).toMatchObject({
    error: "invalid_grant",
  });
});
