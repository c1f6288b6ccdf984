import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, not, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { chatIdentities } from "#db/schema/accounts";
import { chatMessages, chatServers } from "#db/schema/chat";
import type { Sweep } from "#db/sweep";
import { dayMs, daySeconds } from "#server/platform/time";
import { type Claim, claimRows, finishClaims, isLeased, type WorkTable } from "#server/work/leases";
import { putProofs } from "#server/work/proofs";
import type { DesiredMessage } from "./message";

export type ClaimedMessage = typeof chatMessages.$inferSelect & Claim;

export const chatWorkTable: WorkTable<typeof chatMessages.$inferSelect> = {
  table: chatMessages,
  id: chatMessages.subject,
};

/** Transactional outbox: a later message for a subject replaces or edits the earlier one. */
export async function queueChatMessages(
  tx: Queryable,
  messages: readonly DesiredMessage[],
  now: Date,
): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map(({ subject, to, message }) => ({
    subject,
    message,
    version: 1,
    dueAt: now,
    createdAt: now,
    channelId: "channelId" in to ? to.channelId : null,
    recipientId: "recipientId" in to ? to.recipientId : null,
  }));
  // An edit cannot move a posted message.
  const placed = sql`${chatMessages.messageId} is not null`;
  await tx
    .insert(chatMessages)
    .values(rows)
    .onConflictDoUpdate({
      target: chatMessages.subject,
      set: {
        channelId: sql`case when ${placed} then ${chatMessages.channelId} else excluded.channel_id end`,
        recipientId: sql`case when ${placed} then ${chatMessages.recipientId} else excluded.recipient_id end`,
        message: sql`excluded.message`,
        version: sql`${chatMessages.version} + 1`,
        // Keeps one attempt, because the answer of a post may have been lost.
        attempts: sql`least(${chatMessages.attempts}, 1)`,
        dueAt: now,
        lastError: null,
      },
    });
}

/** @returns at most one message */
export async function claimDueMessage(on: Queryable, now: Date): Promise<ClaimedMessage[]> {
  const { attempts, dueAt, leaseUntil, subject } = chatMessages;
  const due = on
    .select({ subject })
    .from(chatMessages)
    .where(and(lte(dueAt, now), not(isLeased(leaseUntil))))
    .orderBy(asc(dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const claimed = await claimRows(on, chatWorkTable, sql`${due}`, {
    attempts: sql`${attempts} + 1`,
  });
  return claimed.map((message) => ({ ...message, id: message.subject }));
}

/** No delivery begins before the end of the transaction. `shown`: posted, or being posted now. */
export async function lockChatMessages(tx: Queryable, subjects: readonly string[]) {
  if (subjects.length === 0) return [];
  const isPosted = sql`${chatMessages.messageId} is not null`;
  return tx
    .select({
      subject: chatMessages.subject,
      message: chatMessages.message,
      shown: sql<boolean>`${isPosted} or ${isLeased(chatMessages.leaseUntil)}`,
    })
    .from(chatMessages)
    .where(inArray(chatMessages.subject, [...subjects]))
    .orderBy(asc(chatMessages.subject))
    .for("update");
}

export async function deleteUnpostedMessages(
  tx: Queryable,
  subjects: readonly string[],
): Promise<void> {
  if (subjects.length === 0) return;
  await tx
    .delete(chatMessages)
    .where(and(inArray(chatMessages.subject, [...subjects]), isNull(chatMessages.messageId)));
}

export async function deleteDirectMessages(
  tx: Queryable,
  of: { readonly accountId: string; readonly subjects: string },
): Promise<void> {
  const { recipientId, subject } = chatMessages;
  const linked = tx
    .select({ chatId: chatIdentities.chatId })
    .from(chatIdentities)
    .where(eq(chatIdentities.accountId, of.accountId));
  await tx
    .delete(chatMessages)
    .where(and(inArray(recipientId, linked), sql`starts_with(${subject}, ${of.subjects})`));
}

const dueUnlessNewer = ({ version }: ClaimedMessage, dueAt: Date | null) =>
  sql`case when ${chatMessages.version} = ${version} then ${dueAt?.toISOString() ?? null}::timestamptz else ${chatMessages.dueAt} end`;

export async function noteDelivered(
  on: Queryable,
  claimed: ClaimedMessage,
  { messageId, remark = null }: { messageId: bigint; remark?: string | null },
): Promise<void> {
  await finishClaims(on, chatWorkTable, [claimed], {
    messageId,
    delivered: claimed.version,
    attempts: 0,
    lastError: remark,
    dueAt: dueUnlessNewer(claimed, null),
  });
}

/**
 * @param next null gives up this version
 * @param messageId set if an outdated message exists
 */
export async function noteFailed(
  on: Queryable,
  claimed: ClaimedMessage,
  { next, error, messageId }: { next: Date | null; error: string; messageId: bigint | null },
): Promise<void> {
  await finishClaims(on, chatWorkTable, [claimed], {
    messageId,
    lastError: error,
    dueAt: dueUnlessNewer(claimed, next),
  });
}

/** A rate limit does not count as an attempt. */
export async function postpone(on: Queryable, claimed: ClaimedMessage, until: Date): Promise<void> {
  const attempts = sql`greatest(${chatMessages.attempts} - 1, 0)`;
  await finishClaims(on, chatWorkTable, [claimed], { attempts, dueAt: until });
}

export async function readMessageBacklog(on: Queryable) {
  const { dueAt, delivered, version } = chatMessages;
  return {
    waiting: await on.$count(chatMessages, isNotNull(dueAt)),
    givenUp: await on.$count(chatMessages, and(isNull(dueAt), lt(delivered, version))),
  };
}

/** @param seen.adminIds undefined keeps the stored ones */
export async function saveServer(
  on: Queryable,
  serverId: bigint,
  seen: { name: string; lastRefresh: Date; adminIds: bigint[] | undefined },
): Promise<void> {
  await on
    .insert(chatServers)
    .values({ id: serverId, ...seen })
    .onConflictDoUpdate({ target: chatServers.id, set: seen });
}

export async function listServerIds(on: Queryable): Promise<bigint[]> {
  const rows = await on.select({ id: chatServers.id }).from(chatServers);
  return rows.map(({ id }) => id);
}

export async function deleteServer(on: Queryable, serverId: bigint): Promise<void> {
  await on.delete(chatServers).where(eq(chatServers.id, serverId));
}

/** Older messages are not edited. */
const messageDays = 90;
/** A direct message is sent once. */
const letterDays = 7;
/** The chat's signature is valid for minutes only. */
const interactionMs = dayMs;

export const chatSweeps: readonly Sweep[] = [
  { table: chatMessages, column: chatMessages.createdAt, keep: messageDays * daySeconds },
  {
    table: chatMessages,
    column: chatMessages.createdAt,
    keep: letterDays * daySeconds,
    where: isNotNull(chatMessages.recipientId),
  },
];

/** Returns true for only one of several deliveries of an act. */
export const noteInteraction = async (on: Queryable, id: bigint, now: Date): Promise<boolean> => {
  const expiresAt = new Date(now.getTime() + interactionMs);
  const kind = "chat-interaction";
  return (await putProofs(on, [{ id: String(id), kind, createdAt: now, expiresAt }])) > 0;
};
