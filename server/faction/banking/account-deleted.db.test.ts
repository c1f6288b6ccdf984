import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { vaultRequests } from "#db/schema/faction";
import { auditLog } from "#db/schema/operations";
import { deleteAccount, exportAccount, showDeletion } from "#server/account/account-acts";
import { bankingWorld } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { fulfilRequest } from "./request-acts";

const world = await bankingWorld(await testDatabase());
const { ctx, people, ask, message } = world;
const on = ctx.database.query;
const user = people.member;
const { accountId, playerId, name } = user;

test("an export holds the player's vault requests, and nobody else's", async () => {
  const { id } = await ask();
  await ask({}, "banker");
  const { vaultRequests: exported } = JSON.parse((await exportAccount(ctx, user)).json);
  expect(exported).toMatchObject([{ id, amount: 1_000, status: "pending" }]);
});

test("PT-22: who deletes their account waits for no payment any more; what was paid stays, and so do others' requests", async () => {
  const [pending, paid, others] = [await ask(), await ask(), await ask({}, "banker")];
  await fulfilRequest(ctx, people.banker, { request: paid.guid });
  expect(await showDeletion(ctx, user)).toMatchObject({ payments: 2 });
  await deleteAccount(ctx, user, { confirmName: name });
  const rows = await on.select().from(vaultRequests);
  const stateOf = (id: number) => rows.find((row) => row.id === id)?.status;
  expect([pending, paid, others].map(({ id }) => stateOf(id))).toEqual([
    "cancelled",
    "fulfilled",
    "pending",
  ]);
  expect(rows.filter((row) => row.playerId === playerId && row.status === "pending")).toEqual([]);
  const card = (await message(`vault-request:${pending.id}`))?.message as {
    card: { tone: string };
    buttons?: unknown;
  };
  expect([card.card.tone, card.buttons]).toEqual(["error", undefined]);
  const events = await on
    .select()
    .from(auditLog)
    .where(eq(auditLog.act, "vault_request.cancelled"));
  expect(events).toMatchObject([
    { actor: `account:${accountId}` },
    { actor: `account:${accountId}` },
  ]);
});
