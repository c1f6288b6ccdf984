import {
  and,
  asc,
  count,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Queryable } from "#db/client";
import { chatInteractions, chatMessages } from "#db/schema/chat";
import type { Sweep } from "#db/sweep";
import { daySeconds } from "#server/platform/time";
import type { DesiredMessage } from "./message";

/** A message that is this process's to deliver until its lease ends. */
export interface ClaimedMessage {
  readonly subject: string;
  readonly channelId: bigint | null;
  readonly recipientId: bigint | null;
  /** Not parsed yet. */
  readonly message: unknown;
  readonly version: number;
  /** Set where it stands in the chat already. */
  readonly messageId: bigint | null;
  /** This attempt included. */
  readonly attempts: number;
  /** The end of the lease, by which it is known as ours. */
  readonly leasedUntil: Date;
}

/** Inserts the messages, or puts each in the place of an earlier one for the same subject. */
export async function saveDesiredMessages(
  tx: Queryable,
  messages: readonly DesiredMessage[],
  now: Date,
): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map(({ subject, to, message }) => ({
    ...{ subject, message, version: 1, dueAt: now, createdAt: now },
    channelId: "channelId" in to ? to.channelId : null,
    recipientId: "recipientId" in to ? to.recipientId : null,
  }));
  // What stands in the chat stays where it stands: an edit cannot move it.
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
        // One attempt is remembered: its post may stand in the chat although its answer was lost.
        attempts: sql`least(${chatMessages.attempts}, 1)`,
        dueAt: now,
        lastError: null,
      },
    });
}

/**
 * Claims the message that waits the longest. Of many instances at once each gets another one, or none; one whose claimer
 * died is free again when its lease ends. Undefined where nothing is due.
 */
export async function claimDue(
  on: Queryable,
  { now, leasedUntil }: { now: Date; leasedUntil: Date },
): Promise<ClaimedMessage | undefined> {
  const free = or(isNull(chatMessages.leasedUntil), lte(chatMessages.leasedUntil, now));
  const due = on
    .select({ subject: chatMessages.subject })
    .from(chatMessages)
    .where(and(lte(chatMessages.dueAt, now), free))
    .orderBy(asc(chatMessages.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [row] = await on
    .update(chatMessages)
    .set({ leasedUntil, attempts: sql`${chatMessages.attempts} + 1` })
    .where(and(eq(chatMessages.subject, sql`(${due})`), free))
    .returning({
      subject: chatMessages.subject,
      channelId: chatMessages.channelId,
      recipientId: chatMessages.recipientId,
      message: chatMessages.message,
      version: chatMessages.version,
      messageId: chatMessages.messageId,
      attempts: chatMessages.attempts,
    });
  return row && { ...row, leasedUntil };
}

/** A message that was queued. */
export interface QueuedMessage {
  readonly subject: string;
  readonly message: unknown;
  /** Whether it stands in the chat, or is being brought there at this moment. */
  readonly shown: boolean;
}

/** The queued messages about these subjects, held until the end of the transaction: nobody begins to deliver them meanwhile. */
export async function lockQueued(
  tx: Queryable,
  subjects: readonly string[],
  now: Date,
): Promise<QueuedMessage[]> {
  if (subjects.length === 0) return [];
  const rows = await tx
    .select({
      subject: chatMessages.subject,
      message: chatMessages.message,
      messageId: chatMessages.messageId,
      leasedUntil: chatMessages.leasedUntil,
    })
    .from(chatMessages)
    .where(inArray(chatMessages.subject, [...subjects]))
    .orderBy(asc(chatMessages.subject))
    .for("update");
  return rows.map(({ subject, message, messageId, leasedUntil }) => {
    const delivering = leasedUntil !== null && leasedUntil > now;
    return { subject, message, shown: messageId !== null || delivering };
  });
}

/** Forgets those of the messages that do not stand in the chat yet. */
export async function deleteUnposted(tx: Queryable, subjects: readonly string[]): Promise<void> {
  if (subjects.length === 0) return;
  await tx
    .delete(chatMessages)
    .where(and(inArray(chatMessages.subject, [...subjects]), isNull(chatMessages.messageId)));
}

/** A claim is ours as long as nobody took it over. */
const ours = ({ subject, leasedUntil }: ClaimedMessage): SQL | undefined =>
  and(eq(chatMessages.subject, subject), eq(chatMessages.leasedUntil, leasedUntil));

/** What is to follow the claimed version: nothing, unless a newer version came meanwhile, which is due as it said. */
const dueUnlessNewer = ({ version }: ClaimedMessage, dueAt: Date | null) =>
  sql`case when ${chatMessages.version} = ${version} then ${dueAt?.toISOString() ?? null}::timestamptz else ${chatMessages.dueAt} end`;

/**
 * Notes that nothing is left to do for the claimed version; a newer version stays due.
 * @param messageId the message in the chat @param remark why it does not stand there, where somebody deleted it
 */
export async function noteDelivered(
  on: Queryable,
  claimed: ClaimedMessage,
  { messageId, remark = null }: { messageId: bigint; remark?: string | null },
): Promise<void> {
  await on
    .update(chatMessages)
    .set({
      messageId: messageId,
      delivered: claimed.version,
      attempts: 0,
      leasedUntil: null,
      lastError: remark,
      dueAt: dueUnlessNewer(claimed, null),
    })
    .where(ours(claimed));
}

/**
 * Notes a failed attempt. @param next when to try again; null to give this version up
 * @param messageId the message in the chat, where one stands although it is not as it should be
 */
export async function noteFailed(
  on: Queryable,
  claimed: ClaimedMessage,
  { next, error, messageId }: { next: Date | null; error: string; messageId: bigint | null },
): Promise<void> {
  await on
    .update(chatMessages)
    .set({
      messageId: messageId,
      leasedUntil: null,
      lastError: error,
      dueAt: dueUnlessNewer(claimed, next),
    })
    .where(ours(claimed));
}

/** Lets a claimed message wait, as if it had not been tried: the chat asked us to wait. */
export async function postpone(on: Queryable, claimed: ClaimedMessage, until: Date): Promise<void> {
  const attempts = sql`greatest(${chatMessages.attempts} - 1, 0)`;
  await on
    .update(chatMessages)
    .set({ leasedUntil: null, attempts, dueAt: until })
    .where(ours(claimed));
}

/** How many messages wait to be delivered, and how many were given up as they stand. */
export async function countUndeliveredMessages(
  on: Queryable,
): Promise<{ waiting: number; givenUp: number }> {
  const waiting = on
    .select({ rows: count().as("rows") })
    .from(chatMessages)
    .where(isNotNull(chatMessages.dueAt));
  const givenUp = on
    .select({ rows: count().as("rows") })
    .from(chatMessages)
    .where(and(isNull(chatMessages.dueAt), lt(chatMessages.delivered, chatMessages.version)));
  const number = (query: typeof waiting) => sql<number>`(${query})`.mapWith(Number);
  const [row] = await on
    .select({ waiting: number(waiting), givenUp: number(givenUp) })
    .from(sql`(select 1) as once`);
  return row ?? { waiting: 0, givenUp: 0 };
}

/** A message this old is not edited any more; what still concerns its subject would be posted again. */
const messageDays = 90;
/** A direct message is said once, and is nobody's business afterwards. */
const letterDays = 7;
/** The chat's signature of an act is accepted for minutes only. */
const interactionDays = 1;

export const chatSweeps: readonly Sweep[] = [
  { table: chatMessages, column: chatMessages.createdAt, keep: messageDays * daySeconds },
  {
    table: chatMessages,
    column: chatMessages.createdAt,
    keep: letterDays * daySeconds,
    where: isNotNull(chatMessages.recipientId),
  },
  {
    table: chatInteractions,
    column: chatInteractions.receivedAt,
    keep: interactionDays * daySeconds,
  },
];

/** Notes an act of the chat. Of many that bring the same one at once, one gets true. */
export async function noteInteraction(
  on: Queryable,
  id: bigint,
  receivedAt: Date,
): Promise<boolean> {
  const noted = await on
    .insert(chatInteractions)
    .values({ id, receivedAt })
    .onConflictDoNothing()
    .returning({ id: chatInteractions.id });
  return noted.length > 0;
}
