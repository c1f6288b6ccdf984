import { expect, test } from "vitest";
import { expectWithin } from "#server/testing/lived-time";
import { mintApplication, mintTokens, postToken } from "#server/testing/oauth-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { showApplication } from "../clients/own-applications";
import { deleteSecret } from "../clients/secrets/secret-acts";
import { revokeConsents } from "../consents/consent-acts";
import { listConsents } from "../consents/list-consents";

const { here, there } = await twoInstances();
const { ctx } = here;
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner);

// The fixed clock keeps caches fresh, so only messages between instances can end anything.

test("RE-40: what is taken back on one instance is refused on the other as soon as the message is there", async () => {
  const user = await mintUser(ctx);
  const { access_token } = await mintTokens(ctx, app, { user });
  expect(await there.ctx.tokens.authenticate(access_token)).toBeDefined();
  const [consent] = await listConsents(ctx, user);
  await revokeConsents(ctx, user, { consentIds: [consent?.consentId ?? ""] });
  expect(await ctx.tokens.authenticate(access_token)).toBeUndefined();
  await expectWithin(1_000, () => there.ctx.tokens.authenticate(access_token)).toBeUndefined();
});

test("RE-40 TK-39: a secret deleted on one instance is refused by the other", async () => {
  const client = await mintApplication(ctx, owner);
  const ask = () =>
    postToken(there.ctx, client, { grant_type: "refresh_token", refresh_token: "x" });
  expect((await ask()).status).toBe(400);
  const [secret] = (await showApplication(ctx, owner, client.clientId)).secrets;
  await deleteSecret(ctx, owner, {
    clientId: client.clientId,
    secretId: secret?.id ?? "",
    isOnly: true,
  });
  await expectWithin(1_000, async () => (await ask()).status).toBe(401);
});
