import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { players } from "#db/schema/players";
import { deleteAccount } from "#server/account/account-acts";
import type { PortalUser } from "#server/actor";
import { expectWithin } from "#server/testing/lived-time";
import {
  mintApplication,
  mintCode,
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
import { revokeGrants, showLiveGrants } from "../clients/live-grants/live-grants";
import { revokeAllConsents, revokeConsents } from "../consents/consent-acts";
import { listConsents } from "../consents/list-consents";
import type { TokenReply } from "../grants/authorization-code";

const { here, there } = await twoInstances({ rates: unthrottled, applicationsPerDeveloper: 1_000 });
const { ctx, clock } = here;
const owner = await mintUser(ctx);
const rounds = 12;
/** Milliseconds. */
const within = 1_000;

interface Held {
  readonly app: TestApplication;
  readonly user: PortalUser;
  readonly tokens: TokenReply & { readonly refresh_token: string };
  readonly fields: Record<string, string>;
}

async function held(): Promise<Held> {
  const app = await mintApplication(ctx, owner);
  const user = await mintUser(ctx);
  const fields = redemption(app, await mintCode(ctx, app, { user }));
  const tokens = (await (await postToken(ctx, app, fields)).json()) as Held["tokens"];
  return { app, user, fields, tokens };
}

const remembered = async ({ tokens }: Held) => {
  for (const instance of [ctx, there.ctx])
    expect(await instance.tokens.authenticate(tokens.access_token)).toBeDefined();
};

async function revoke({ app }: Held, token: string): Promise<void> {
  expect((await revokeToken(ctx, app, token)).status).toBe(200);
}

/**
 * Acts on one instance that end an access token cached by both. The fixed clock keeps caches fresh,
 * so only messages can end it.
 */
const ends: [string, (of: Held) => Promise<void>][] = [
  ["MD-03: revoked by its application", (of) => revoke(of, of.tokens.access_token)],
  [
    "MD-03: with the refresh token, revoked by its application",
    (of) => revoke(of, of.tokens.refresh_token),
  ],
  [
    "RF-14: with the consent, in the portal",
    async ({ user }) => {
      const [consent] = await listConsents(ctx, user);
      await revokeConsents(ctx, user, { consentIds: [consent?.consentId ?? ""] });
    },
  ],
  [
    "RF-14: with all consents of the player",
    async ({ user }) => expect(await revokeAllConsents(ctx, user)).toBe(1),
  ],
  [
    "with one grant, by the developer",
    async ({ app: { clientId } }) => {
      const { rows } = await showLiveGrants(ctx, owner, { clientId, after: null });
      await revokeGrants(ctx, owner, { clientId, grantId: rows[0]?.id ?? "" });
    },
  ],
  [
    "with all grants, by the developer",
    async ({ app: { clientId } }) => {
      await revokeGrants(ctx, owner, { clientId, confirmName: "Test application" });
    },
  ],
  [
    "BR-16: with the application",
    ({ app: { clientId } }) =>
      deleteApplication(ctx, owner, { clientId, confirmName: "Test application" }),
  ],
  [
    "PT-22: with the account",
    async ({ user }) => {
      const [player] = await ctx.database.query
        .select()
        .from(players)
        .where(eq(players.id, user.playerId));
      await deleteAccount(ctx, user, { confirmName: player?.name ?? "" });
    },
  ],
  [
    "TK-28: by a code that comes back",
    async (of) => {
      clock.advance(3);
      await remembered(of);
      expect((await postToken(ctx, of.app, of.fields)).status).toBe(400);
    },
  ],
  [
    "RF-06: by a refresh token that comes back, with the pair that replaced it",
    async (of) => {
      const next = (await (
        await refresh(ctx, of.app, of.tokens.refresh_token)
      ).json()) as Held["tokens"];
      clock.advance(31);
      await remembered({ ...of, tokens: next });
      expect((await refresh(ctx, of.app, of.tokens.refresh_token)).status).toBe(400);
      await expectDead({ ...of, tokens: next });
    },
  ],
];

async function expectDead({ tokens }: Held): Promise<void> {
  expect(await ctx.tokens.authenticate(tokens.access_token)).toBeUndefined();
  await expectWithin(within, () =>
    there.ctx.tokens.authenticate(tokens.access_token),
  ).toBeUndefined();
}

test.each(ends)(
  `RE-40: an access token that ends %s is dead here at once, and on the other instance within a second, ${rounds} of ${rounds}`,
  { timeout: 60_000 },
  async (_how, end) => {
    for (let round = 0; round < rounds; round++) {
      clock.advance(60);
      const of = await held();
      await remembered(of);
      await end(of);
      await expectDead(of);
    }
  },
);
