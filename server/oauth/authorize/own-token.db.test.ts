import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { mintApplication, mintVisitor } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { listConsents } from "../consents/list-consents";
import { issueOwnToken } from "./own-token";

const { ctx } = await testContext({ database: await testDatabase() });
const { user: owner } = await mintVisitor(ctx);

test.each(["confidential", "public"] as const)(
  "a developer gets a token of the own account for a %s application, which calls the API and is listed as a connected app",
  async (kind) => {
    const { clientId } = await mintApplication(ctx, owner, { kind, scopes: ["identity"] });
    const { accessToken, expiresInSeconds } = await issueOwnToken(ctx, owner, { clientId });
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
  await expect(issueOwnToken(ctx, other, { clientId })).rejects.toMatchObject({
    kind: { name: "UnknownOAuthClient" },
  });
});
