import { describe, expect, test } from "vitest";
import { exportAccount } from "#server/account/account-acts";
import { type Actor, createOperator, type PortalUser } from "#server/actor";
import { showFailedOAuthAttempts } from "#server/oauth/clients/calls/show-calls";
import type { RegisteredClient } from "#server/oauth/clients/store";
import { testDatabase } from "#server/testing/database";
import { mintApplication } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintPlayer, mintUser, sentFrom, visitor } from "#server/testing/world";
import { type AuditedAct, auditedActs } from "./audit";
import { type DoerForOwner, rolesByAct } from "./event-views";
import { listOwnHistory, searchAuditLog } from "./read-events";

const { ctx } = await testContext({ database: await testDatabase() });
const on = ctx.database.query;
const developer = await mintUser(ctx, { name: "Dev_Loper" });
const banker = await mintUser(ctx, { name: "Vera_Vault" });
const admin = { ...(await mintUser(ctx, { name: "Secret_Admin" })), admin: true };
const chatter = await mintPlayer(ctx, { name: "Chat_Banker" });
const { clientId } = await mintApplication(ctx, developer);
const client = (await ctx.tokens.findClient(clientId)) as RegisteredClient;

let addresses = 0;
/** An address that is unique in these tests. */
const newAddress = () => `2001:db8::${(++addresses).toString(16)}`;

interface Row {
  readonly what: string;
  readonly act: AuditedAct;
  readonly actor: (owner: PortalUser) => Actor;
  readonly clientId?: string;
  /** The actor as the owner sees it, and if the address is visible. */
  readonly by: DoerForOwner;
  readonly banker?: string;
  readonly ownAddress: boolean;
}

const rows: Row[] = [
  {
    what: "their own sign-in",
    act: "session.opened",
    actor: (owner) => owner,
    by: "you",
    ownAddress: true,
  },
  {
    what: "their own approval",
    act: "consent.approved",
    actor: (owner) => owner,
    clientId,
    by: "you",
    ownAddress: true,
  },
  {
    what: "a request of their own",
    act: "vault_request.created",
    actor: (owner) => owner,
    by: "you",
    ownAddress: true,
  },
  {
    what: "a cancellation of their own",
    act: "vault_request.cancelled",
    actor: (owner) => owner,
    by: "you",
    ownAddress: true,
  },
  {
    ...{
      what: "a request by an application's server",
      act: "vault_request.created",
      actor: (owner) => owner,
      clientId,
    },
    ...{ by: "you", ownAddress: false },
  },
  {
    ...{ what: "a banker's payment", act: "vault_request.fulfilled", actor: () => banker },
    ...{ by: "banker", banker: "Vera_Vault", ownAddress: false },
  },
  {
    ...{ what: "a banker's claim", act: "vault_request.claimed", actor: () => banker },
    ...{ by: "banker", banker: "Vera_Vault", ownAddress: false },
  },
  {
    ...{ what: "the end of a banker's claim", act: "vault_request.released", actor: () => banker },
    ...{ by: "banker", banker: "Vera_Vault", ownAddress: false },
  },
  {
    ...{ what: "a banker's refusal", act: "vault_request.cancelled", actor: () => banker },
    ...{ by: "banker", banker: "Vera_Vault", ownAddress: false },
  },
  {
    ...{
      what: "a payment in the chat",
      act: "vault_request.fulfilled",
      actor: () => ({ ...visitor, kind: "player", accountId: null, playerId: chatter.id }),
    },
    ...{ by: "banker", banker: "Chat_Banker", ownAddress: false },
  },
  ...[...rolesByAct]
    .filter(([, role]) => role === "admin")
    .map(([act]) => act as AuditedAct)
    .map(
      (act): Row => ({
        what: `an admin's ${act}`,
        act,
        actor: () => admin,
        by: "admin",
        ownAddress: false,
      }),
    ),
  {
    what: "the operator's ban",
    act: "account.banned",
    actor: () => createOperator(ctx),
    by: "admin",
    ownAddress: false,
  },
  {
    ...{
      what: "a developer's end",
      act: "grant.revoked_by_developer",
      actor: () => developer,
      clientId,
    },
    ...{ by: "developer", ownAddress: false },
  },
  {
    ...{
      what: "an application's act",
      act: "token.revoked",
      actor: () => ({ ...visitor, kind: "client", client }),
      clientId,
    },
    ...{ by: "application", ownAddress: false },
  },
  {
    what: "a stranger's try",
    act: "session.refused",
    actor: () => visitor,
    by: "anonymous",
    ownAddress: false,
  },
  {
    what: "a job's end",
    act: "vault_request.expired",
    actor: () => ({ kind: "job", name: "x" }),
    by: "service",
    ownAddress: false,
  },
  {
    ...{ what: "a link by another account", act: "chat_account.refused", actor: () => banker },
    ...{ by: "somebody", ownAddress: false },
  },
];

/** An event about a new owner. */
async function written({ act, actor, clientId }: Row) {
  const owner = await mintUser(ctx);
  const address = newAddress();
  const requestId = ctx.ids.request();
  const details = { reason: "r", key: "hash-of-a-key" };
  const about = { accountId: owner.accountId, clientId: clientId ?? null };
  const by = actor(owner);
  const from = { requestId, address };
  await ctx.audit(on, by.kind === "job" ? by : sentFrom(by, from), act, { ...about, details });
  return { owner, address, requestId };
}

describe("an event shows an address to the one whose it is, and to admins:", () => {
  test.each(rows)("$what, read by its account's owner", async (row) => {
    const { owner, address, requestId } = await written(row);
    const { events } = await listOwnHistory(ctx, owner, undefined);
    expect(events).toMatchObject([
      {
        ...{ act: row.act, by: row.by, banker: row.banker ? { name: row.banker } : null },
        ...{
          address: row.ownAddress ? address : null,
          requestId: row.ownAddress ? requestId : null,
        },
      },
    ]);
    const { json } = await exportAccount(
      ctx,
      sentFrom(owner, { requestId: "export", address: null }),
    );
    for (const text of [json, JSON.stringify(events)]) {
      expect(text.includes(address)).toBe(row.ownAddress);
      expect(text.includes(requestId)).toBe(row.ownAddress);
      expect(text).not.toMatch(/hash-of-a-key|Secret_Admin/);
      for (const other of [admin, banker, developer]) expect(text).not.toContain(other.accountId);
    }
  });

  test.each(rows)("$what, read by an admin", async (row) => {
    const { owner, address } = await written(row);
    const { events } = await searchAuditLog(ctx, { account: owner.accountId });
    expect(events).toMatchObject([
      { act: row.act, address: row.by === "service" ? null : address },
    ]);
  });

  test.each(rows)("$what, read by other players and the developer", async (row) => {
    const { address } = await written(row);
    for (const other of [banker, developer, await mintUser(ctx)]) {
      const own = await listOwnHistory(ctx, other, undefined);
      const { json } = await exportAccount(
        ctx,
        sentFrom(other, { requestId: "export", address: null }),
      );
      expect(JSON.stringify(own) + json).not.toContain(address);
    }
  });

  test.each([
    "authorization.refused",
    "consent.denied",
    "token_request.refused",
    "code.reused",
    "refresh_token.reused",
  ] as const)("%s, read by the application's developer", async (act) => {
    const actor = (owner: PortalUser) => owner;
    const row: Row = { what: act, act, actor, clientId, by: "you", ownAddress: true };
    const { address, requestId } = await written(row);
    const { rows: attempts } = await showFailedOAuthAttempts(ctx, developer, {
      clientId,
      after: null,
    });
    expect(attempts.map((attempt) => attempt.requestId)).toContain(requestId);
    expect(JSON.stringify(attempts)).not.toContain(address);
  });
});

test("every act of an admin, a banker or a developer has its role", () => {
  const byOthers = auditedActs.filter((act) =>
    /^application\.((un)?verified|suspended|resumed)$|^account\.(un)?banned$|\.reset$|_by_(developer|admin)$|^application_member\.(invited|changed|removed)$|^application_tester\.|^verification_request\.declined$|^application_transfer\.offered$|^vault_request\.(claimed|released|cancelled|fulfilled)$/.test(
      act,
    ),
  );
  expect([...rolesByAct.keys()].sort()).toEqual(byOthers.sort());
});
