import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { grants } from "#db/schema/oauth";
import { testDatabase } from "#server/testing/database";
import { applicationInput, mintApplication, mintVisitor } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { updateApplication } from "../clients/application-acts";
import { narrowConsent, pauseConsent, revokeAllConsents } from "../consents/consent-acts";
import { listConsents } from "../consents/list-consents";
import { issueDeveloperToken } from "./own-token";

const { ctx } = await testContext({ database: await testDatabase() });
const { user: owner } = await mintVisitor(ctx);

test.each(["confidential", "public"] as const)(
  "a developer gets a token of the own account for a %s application, which calls the API and is listed as a connected app",
  async (kind) => {
    const { clientId } = await mintApplication(ctx, owner, { kind, scopes: ["identity"] });
    const { accessToken, expiresInSeconds } = await issueDeveloperToken(ctx, owner, { clientId });
    expect(expiresInSeconds).toBeGreaterThan(0);
    const used = await ctx.tokens.authenticate(accessToken);
    expect(used).toMatchObject({ status: "active", actor: { playerId: owner.playerId, clientId } });
    const own = (await listConsents(ctx, owner)).find(
      ({ application }) => application.clientId === clientId,
    );
    expect(own?.scopes.map(({ name }) => name)).toEqual(["identity"]);
  },
);

test("nobody gets a token of another developer's application", async () => {
  const { clientId } = await mintApplication(ctx, owner);
  const { user: other } = await mintVisitor(ctx);
  await expect(issueDeveloperToken(ctx, other, { clientId })).rejects.toMatchObject({
    kind: { name: "UnknownOAuthClient" },
  });
});

async function ownApplication() {
  const { user } = await mintVisitor(ctx);
  const { clientId } = await mintApplication(ctx, user, { scopes: ["identity", "faction"] });
  await issueDeveloperToken(ctx, user, { clientId });
  const [consent] = await listConsents(ctx, user);
  return { user, clientId, consentId: consent?.consentId ?? "" };
}

const scopesOf = async (token: string) =>
  (await ctx.tokens.authenticate(token))?.actor.scopes.toSorted();

test("a further token is of the same grant, and gives back no scope that was taken away", async () => {
  const { user, clientId, consentId } = await ownApplication();
  await issueDeveloperToken(ctx, user, { clientId });
  const own = await ctx.database.query.select().from(grants).where(eq(grants.clientId, clientId));
  expect(own).toHaveLength(1);
  const shown = ["identity", "faction"];
  await narrowConsent(ctx, user, { consentId, shown, keep: ["identity"] });
  const { accessToken } = await issueDeveloperToken(ctx, user, { clientId });
  expect(await scopesOf(accessToken)).toEqual(["identity"]);
  expect((await listConsents(ctx, user))[0]?.takenAway).toMatchObject([{ name: "faction" }]);
});

test("a further token has the scopes that the application was registered for since", async () => {
  const { user, clientId } = await ownApplication();
  const { kind: _, ...fields } = applicationInput({
    scopes: ["identity", "faction", "service_key:usage"],
  });
  await updateApplication(ctx, user, { ...fields, clientId, version: 1 });
  const { accessToken } = await issueDeveloperToken(ctx, user, { clientId });
  expect(await scopesOf(accessToken)).toEqual(["faction", "identity", "service_key:usage"]);
});

test("a paused application gets no token, and stays paused", async () => {
  const { user, clientId, consentId } = await ownApplication();
  await pauseConsent(ctx, user, { consentId });
  await expect(issueDeveloperToken(ctx, user, { clientId })).rejects.toMatchObject({
    kind: { name: "GrantPaused" },
  });
  expect(await listConsents(ctx, user)).toMatchObject([{ paused: true }]);
});

test("access that ends at the same moment is no failure of the server", async () => {
  const { user, clientId } = await ownApplication();
  const { database } = ctx;
  const revoking: typeof database.transaction = async (act) => {
    const done = await database.transaction(act);
    await revokeAllConsents(ctx, user);
    return done;
  };
  const raced = { ...ctx, database: { ...database, transaction: revoking } };
  const { accessToken } = await issueDeveloperToken(raced, user, { clientId });
  expect(await ctx.tokens.authenticate(accessToken)).toBeUndefined();
});
