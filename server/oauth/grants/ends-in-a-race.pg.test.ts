import { expect, test } from "vitest";
import { expectWithin } from "#server/testing/lived-time";
import {
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  refresh,
  revokeToken,
  type TestApplication,
  unthrottled,
} from "#server/testing/oauth-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { deleteApplication } from "../clients/application-acts";
import { showApplication } from "../clients/own-applications";
import { createSecret, deleteSecret } from "../clients/secrets/secret-acts";
import { revokeConsents } from "../consents/consent-acts";
import { listConsents } from "../consents/list-consents";
import type { TokenReply } from "./authorization-code";

/** Revocations on one instance race with issues on the other. */
const { here, there } = await twoInstances({ rates: unthrottled });
const { ctx, clock } = here;
const instances = [ctx, there.ctx] as const;
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner);
const rounds = 8;

/** After the message, nothing that was answered with 200 may be live on any instance. */
async function expectDead(client: TestApplication, responses: readonly Response[]): Promise<void> {
  expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
  for (const response of responses.filter(({ status }) => status === 200)) {
    const reply = (await response.json()) as TokenReply;
    for (const instance of instances) {
      await expectWithin(1_000, () =>
        instance.tokens.authenticate(reply.access_token),
      ).toBeUndefined();
      const refused = async () =>
        (await refresh(instance, client, reply.refresh_token ?? "")).status;
      await expectWithin(1_000, refused).toBeGreaterThanOrEqual(400);
    }
  }
}

test("RF-06: a replaced token that comes back late is theft, whichever instance it comes to", async () => {
  const tokens = await mintTokens(ctx, app, { user: await mintUser(ctx) });
  const replaced = tokens.refresh_token ?? "";
  const next = (await (await refresh(ctx, app, replaced)).json()) as TokenReply;
  expect(await there.ctx.tokens.authenticate(next.access_token)).toBeDefined();
  clock.advance(31);
  expect((await refresh(there.ctx, app, replaced)).status).toBe(400);
  expect(await there.ctx.tokens.authenticate(next.access_token)).toBeUndefined();
  await expectWithin(1_000, () => ctx.tokens.authenticate(next.access_token)).toBeUndefined();
  expect((await refresh(ctx, app, next.refresh_token ?? "")).status).toBe(400);
});

test("a refresh that races with the revocation of its token leaves nothing alive", async () => {
  for (let round = 0; round < rounds; round++) {
    const { refresh_token: token = "" } = await mintTokens(ctx, app, { user: await mintUser(ctx) });
    const [revoked, ...refreshed] = await Promise.all([
      revokeToken(ctx, app, token),
      ...instances.map((instance) => refresh(instance, app, token)),
    ]);
    expect(revoked.status).toBe(200);
    await expectDead(app, refreshed);
  }
});

test("a redemption that races with the end of the consent leaves nothing alive", async () => {
  for (let round = 0; round < rounds; round++) {
    const user = await mintUser(ctx);
    const fields = redemption(app, await mintCode(ctx, app, { user }));
    const [consent] = await listConsents(ctx, user);
    const redeemed = instances.map((instance) => postToken(instance, app, fields));
    await revokeConsents(ctx, user, { consentIds: [consent?.consentId ?? ""] });
    await expectDead(app, await Promise.all(redeemed));
    expect((await postToken(there.ctx, app, fields)).status).toBe(400);
  }
});

test("a redemption and a refresh that race with the deletion of the application leave nothing alive", async () => {
  for (let round = 0; round < rounds; round++) {
    const doomed = await mintApplication(ctx, owner);
    const user = await mintUser(ctx);
    const { refresh_token: token = "" } = await mintTokens(there.ctx, doomed, { user });
    const fields = redemption(doomed, await mintCode(there.ctx, doomed, { user }));
    const racing = instances.flatMap((instance) => [
      postToken(instance, doomed, fields),
      refresh(instance, doomed, token),
    ]);
    await deleteApplication(ctx, owner, {
      clientId: doomed.clientId,
      confirmName: "Test application",
    });
    await expectDead(doomed, await Promise.all(racing));
    await expectWithin(1_000, async () => (await refresh(there.ctx, doomed, token)).status).toBe(
      401,
    );
  }
});

test("TK-39: a secret that is deleted while a refresh runs ends the secret, and not the chain", async () => {
  for (let round = 0; round < rounds; round++) {
    const client = await mintApplication(ctx, owner);
    const { clientId } = client;
    const { secret } = await createSecret(ctx, owner, {
      clientId,
      name: "second",
      livesDays: null,
    });
    const second = { ...client, clientSecret: secret };
    const { refresh_token: token = "" } = await mintTokens(there.ctx, client, {
      user: await mintUser(ctx),
    });
    const first = (await showApplication(ctx, owner, clientId)).secrets.find(
      ({ name }) => name !== "second",
    );
    const racing = refresh(there.ctx, client, token);
    await deleteSecret(ctx, owner, { clientId, secretId: first?.id ?? "" });
    expect([200, 401]).toContain((await racing).status);
    await expectWithin(1_000, async () => (await refresh(there.ctx, client, token)).status).toBe(
      401,
    );
    // With or without an answer in time, the chain's owner continues with the other secret.
    const response = await refresh(there.ctx, second, token);
    expect(response.status).toBe(200);
    const reply = (await response.json()) as TokenReply;
    expect(await ctx.tokens.authenticate(reply.access_token)).toBeDefined();
    expect((await refresh(ctx, second, reply.refresh_token ?? "")).status).toBe(200);
  }
});

test("of two pages that each delete another one of two secrets at once, one keeps its secret, on whichever instance", async () => {
  for (let round = 0; round < rounds; round++) {
    const { clientId } = await mintApplication(ctx, owner);
    await createSecret(ctx, owner, { clientId, name: "second", livesDays: null });
    const { secrets } = await showApplication(ctx, owner, clientId);
    const outcomes = await Promise.allSettled(
      secrets.map(({ id }, index) =>
        deleteSecret(index % 2 ? ctx : there.ctx, owner, { clientId, secretId: id }),
      ),
    );
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toMatchObject([{ reason: { reason: "ONLY_SECRET" } }]);
    expect((await showApplication(ctx, owner, clientId)).secrets).toMatchObject([
      { state: "only" },
    ]);
  }
});
