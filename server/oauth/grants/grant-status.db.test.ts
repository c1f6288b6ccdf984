import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { accessTokens, applications, authorizationCodes, consents, grants } from "#db/schema/oauth";
import { readDeletionFigures } from "#server/account/deletion-store";
import { findListedAccount } from "#server/admin/accounts-store";
import { apiPrefix } from "#server/machine-path";
import { compileDispatch } from "#server/rest/dispatch";
import { routes } from "#server/routes";
import { type ScopeName, scopeNames } from "#server/scopes";
import { testDatabase } from "#server/testing/database";
import { readAnswer } from "#server/testing/dispatch-world";
import { mintApplication, mintCode, mintTokens, testVerifier } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource } from "#server/testing/world";
import {
  countGrantsByClient,
  countUsersByClient,
  endLiveGrants,
  listLiveGrants,
} from "../clients/live-grants/store";
import type { RegisteredClient } from "../clients/store";
import { listLiveConsents, lockLiveConsent, lockOwnConsent } from "../consents/store";
import { parseForm } from "../form-endpoint";
import { isOAuthError } from "../oauth-error";
import { oauthPagedSweeps } from "../sweep-store";
import { introspectToken } from "../tokens/token-acts";
import { redeemCode, type TokenReply } from "./authorization-code";
import { redeemRefreshToken } from "./refresh-token";

const { ctx } = await testContext({
  database: await testDatabase(),
  settings: { rates: { holder: 100_000, peer: 100_000 } },
});
const on = ctx.database.query;
const dispatch = compileDispatch(routes, { prefix: apiPrefix });
const now = ctx.now();
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);

const owner = await mintUser(ctx);
const user = await mintUser(ctx);
const app = await mintApplication(ctx, owner, { scopes: [...scopeNames] });
const { accountId } = user;
const { clientId } = app;
const client = (await ctx.tokens.findClient(clientId)) as RegisteredClient;
const by = { kind: "client", client, from: testSource } as const;

const all: ScopeName[] = ["identity", "faction", "service_key:usage"];
let tokens = await mintTokens(ctx, app, { user, scopes: all });
const code = await mintCode(ctx, app, { user, scope: all.join(" ") });
const [consent] = await on.select().from(consents).where(eq(consents.clientId, clientId));
const consentId = consent?.id ?? "";

/** Everything that may have happened to a grant. */
const marks = [
  "grant revoked",
  "grant over",
  "consent revoked",
  "consent over",
  "application deleted",
  "account banned",
  "application suspended",
  "consent paused",
] as const;
type Mark = (typeof marks)[number];

/** Sets exactly these marks, on the grant of the tokens and the grant of the code. */
async function mark(set: readonly Mark[]): Promise<void> {
  const since = (name: Mark) => (set.includes(name) ? hours(-2) : null);
  await on.update(grants).set({
    revokedAt: since("grant revoked"),
    absoluteExpiry: hours(set.includes("grant over") ? -2 : 1_000),
  });
  await on.update(consents).set({
    revokedAt: since("consent revoked"),
    until: set.includes("consent over") ? hours(-2) : null,
    pausedAt: since("consent paused"),
  });
  const application = {
    deletedAt: since("application deleted"),
    suspendedAt: since("application suspended"),
  };
  await on.update(applications).set(application).where(eq(applications.clientId, clientId));
  await on
    .update(accounts)
    .set({ bannedAt: since("account banned") })
    .where(eq(accounts.id, accountId));
}

/** One code and one chain serve every row of a table. */
async function renew(reply: TokenReply): Promise<void> {
  if (reply.scope !== undefined && reply.refresh_token) tokens = reply;
  await on.update(authorizationCodes).set({ consumedAt: null });
}

/** In a transaction that is rolled back. */
async function without<T>(act: (tx: Queryable) => Promise<T>): Promise<T> {
  const kept: T[] = [];
  const undo = new Error("undone");
  await ctx.database
    .transaction(async (tx) => {
      kept.push(await act(tx));
      throw undo;
    })
    .catch((thrown: unknown) => {
      if (thrown !== undo) throw thrown;
    });
  return kept[0] as T;
}

const issued = async (reply: Promise<TokenReply>) =>
  reply.then(
    async (given) => {
      await renew(given);
      return "issued";
    },
    (thrown: unknown) => {
      if (isOAuthError(thrown)) return thrown.message;
      throw thrown;
    },
  );

const refreshNow = (fields = {}) =>
  redeemRefreshToken(
    ctx,
    by,
    parseForm(
      new URLSearchParams({ refresh_token: tokens.refresh_token ?? "", ...fields }).toString(),
    ),
  );
const redeemNow = () =>
  redeemCode(
    ctx,
    by,
    parseForm(
      new URLSearchParams({
        code,
        redirect_uri: app.redirectUri,
        code_verifier: testVerifier,
      }).toString(),
    ),
  );
const restNow = async () => {
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const request = new Request(`http://any.host${apiPrefix}/user`, { headers });
  const { status, json } = await readAnswer(await dispatch(ctx, request, { address: "192.0.2.9" }));
  return status === 200 ? "answered" : (json as { name: string }).name;
};

/** All answers about the grant, its consent, and what depends on them. */
async function answers() {
  const key = { accountId, clientId };
  const words = {
    reason: "developer",
    notice: { kind: "test", text: "" },
  } as const;
  const [ofGrants] = oauthPagedSweeps;
  const moment = { now, replayable: now };
  return {
    rest: await restNow(),
    introspection: {
      access: (await introspectToken(ctx, by, { token: tokens.access_token })).active,
      refresh: (await introspectToken(ctx, by, { token: tokens.refresh_token ?? "" })).active,
    },
    developer: {
      listed: (await listLiveGrants(on, { clientId, after: null, limit: 9 }, now)).length,
      counted: (await countGrantsByClient(on, [clientId], now)).get(clientId)?.grants.count,
      ended: (await without((tx) => endLiveGrants(ctx, tx, user, { of: { clientId }, ...words })))
        .grants,
    },
    sweeper:
      (await without(async (tx) =>
        ofGrants?.clear(tx, sql`array(select id from grants)`, moment, 99),
      )) === 0,
    consent: {
      locked: (await without((tx) => lockLiveConsent(tx, key, now))) !== undefined,
      changeable:
        (await without((tx) => lockOwnConsent(tx, { id: consentId, accountId }, now))) !==
        undefined,
      users: (await countUsersByClient(on, { clientIds: [clientId], most: 9 }, now)).get(clientId)
        ?.count,
      admin: (await findListedAccount(on, accountId, now))?.consents,
    },
    player: {
      listed: (await listLiveConsents(on, accountId, now)).length,
      cutByDeletion: (await readDeletionFigures(on, accountId, now)).connected,
      cutFromDeveloper: (await readDeletionFigures(on, owner.accountId, now)).users,
    },
    redemption: await issued(redeemNow()),
    refresh: await issued(refreshNow()),
  };
}

/** The expectation: the strongest mark decides. */
function expected(set: readonly Mark[]) {
  const any = (...of: Mark[]) => of.some((name) => set.includes(name));
  const revived = !any("grant revoked", "grant over", "consent revoked", "consent over");
  const consented = !any("consent revoked", "consent over");
  const exists = !any("application deleted");
  const live =
    revived && exists && !any("account banned", "application suspended", "consent paused");
  const paused = revived && exists && !any("account banned", "application suspended");
  const token = live
    ? "issued"
    : paused
      ? "The player has paused the application."
      : "The authorization has ended.";
  const rest = () => {
    if (!revived || !exists || any("account banned")) return "InvalidAuthenticationInformation";
    if (any("application suspended")) return "ClientSuspended";
    return any("consent paused") ? "GrantPaused" : "answered";
  };
  // A stopped grant may continue, so its developer can end it and the sweeper keeps it.
  const grantsLeft = revived ? 2 : 0;
  const consentsLeft = consented ? 1 : 0;
  const listed = consented && exists ? 1 : 0;
  return {
    rest: rest(),
    introspection: { access: live, refresh: live },
    developer: { listed: grantsLeft, counted: grantsLeft, ended: grantsLeft },
    sweeper: revived,
    consent: {
      locked: consented,
      changeable: consented,
      users: consentsLeft,
      admin: consentsLeft,
    },
    player: { listed, cutByDeletion: listed, cutFromDeveloper: listed },
    redemption: token,
    refresh: token,
  };
}

const pairs = marks.flatMap((one, at) => marks.slice(at + 1).map((other) => [one, other] as const));
const rows: (readonly Mark[])[] = [[], ...marks.map((one) => [one]), ...pairs, marks, []];

test("every way to ask about a grant gives the same answer, whatever ended or stopped it", async () => {
  for (const set of rows) {
    await mark(set);
    expect({ [set.join(" and ") || "nothing"]: await answers() }).toEqual({
      [set.join(" and ") || "nothing"]: expected(set),
    });
  }
});

test("each end counts from its instant on, and not before", async () => {
  for (const [ahead, holds] of [[0.001, true] as const, [0, false] as const]) {
    for (const row of [{ until: hours(ahead) }, { absoluteExpiry: hours(ahead) }]) {
      await mark([]);
      if ("until" in row) await on.update(consents).set(row);
      else await on.update(grants).set(row);
      const told = await answers();
      expect([
        row,
        told.rest,
        told.refresh,
        told.redemption,
        told.introspection,
        told.developer.listed,
      ]).toEqual(
        holds
          ? [row, "answered", "issued", "issued", { access: true, refresh: true }, 2]
          : [
              row,
              "InvalidAuthenticationInformation",
              ...["The authorization has ended.", "The authorization has ended."],
              { access: false, refresh: false },
              0,
            ],
      );
    }
  }
});

const lists: (readonly ScopeName[])[] = [
  scopeNames,
  ["identity", "faction", "service_key:usage"],
  ["faction:attacks", "faction:crimes"],
  ["identity", "faction:banking"],
  ["faction"],
  [],
];

test("every way to ask what a grant opens gives the same scopes, whatever was taken from consent or registration", async () => {
  await mark([]);
  const holds = (held: readonly ScopeName[], scope: ScopeName) =>
    held.includes(scope) || (/^faction:/.test(scope) && held.includes("faction"));
  for (const granted of lists)
    for (const consented of lists)
      for (const registered of lists) {
        await on.update(grants).set({ scopes: [...granted] });
        await on.update(accessTokens).set({ scopes: [...granted] });
        await on.update(consents).set({ scopes: [...consented] });
        await on
          .update(applications)
          .set({ scopes: [...registered] })
          .where(eq(applications.clientId, clientId));
        const opens = (scope: ScopeName) => holds(consented, scope) && holds(registered, scope);
        const isSplit = granted.includes("faction") && !opens("faction");
        const open = isSplit
          ? scopeNames.filter((scope) => holds(granted, scope) && opens(scope))
          : granted.filter(opens);
        const [listed] = await listLiveGrants(on, { clientId, after: null, limit: 9 }, now);
        const access = await introspectToken(ctx, by, { token: tokens.access_token });
        const chain = await introspectToken(ctx, by, { token: tokens.refresh_token ?? "" });
        const rest = (await ctx.tokens.authenticate(tokens.access_token))?.actor.scopes;
        const reply = await refreshNow();
        await renew(reply);
        const redeemed = await redeemNow();
        await renew(redeemed);
        const told = {
          rest,
          listed: listed?.scopes,
          access: access.active && access.scope.split(" ").filter(Boolean),
          chain: chain.active && chain.scope.split(" ").filter(Boolean),
          refresh: reply.scope.split(" ").filter(Boolean),
          code: redeemed.scope.split(" ").filter(Boolean),
        };
        const same = {
          rest: open,
          listed: open,
          access: open,
          chain: open,
          refresh: open,
          code: open,
        };
        expect({ granted, consented, registered, ...told }).toEqual({
          granted,
          consented,
          registered,
          ...same,
        });
      }
});
