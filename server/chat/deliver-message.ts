import { createHash } from "node:crypto";
import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { Job } from "#server/jobs/job";
import { secondMs } from "#server/platform/time";
import type { ChatClient } from "./client";
import { ChatMessage, type DesiredMessage } from "./message";
import {
  type ClaimedMessage,
  claimDue,
  countUndeliveredMessages,
  deleteUnposted,
  lockQueued,
  noteDelivered,
  noteFailed,
  postpone,
  type QueuedMessage,
  saveDesiredMessages,
} from "./store";
import { type ChatFailure, chatFailure, isChatFailure } from "./transport";

/**
 * Says how a message is to stand in the chat; it stands or falls with the transaction. A later message for the same subject
 * replaces the earlier, and what was posted by then is edited where it stands. Delivery comes later, by `deliverSoon`
 * after the commit or by the job.
 */
export const queueMessage = (tx: Queryable, message: DesiredMessage, now: Date): Promise<void> =>
  saveDesiredMessages(tx, [message], now);

/** The same for many messages, each about a subject of its own, in one statement. */
export const queueChatMessages = (
  tx: Queryable,
  messages: readonly DesiredMessage[],
  now: Date,
): Promise<void> => saveDesiredMessages(tx, messages, now);

/** What is queued or stands in the chat about these subjects, held until the end of the transaction. */
export const findChatMessages = (
  tx: Queryable,
  subjects: readonly string[],
  now: Date,
): Promise<QueuedMessage[]> => lockQueued(tx, subjects, now);

/** Takes back what was queued about these subjects and does not stand in the chat yet. */
export const withdrawMessages = (tx: Queryable, subjects: readonly string[]): Promise<void> =>
  deleteUnposted(tx, subjects);

export type Delivery = "delivered" | "dropped" | "postponed" | "failed" | "givenUp";

/** Waits between attempts grow from the first to the last of these; seconds. */
const backOff = { first: 5, longest: 900 };
/** With these waits about five hours: longer than the chat was ever away. */
const mostAttempts = 30;

/**
 * Brings one claimed message to the chat, and notes what came of it. A message that somebody deleted in the chat stays deleted. Between
 * the post and its note the process may die: the next attempt carries the same mark, by which the chat gives the first
 * message again; only after the few minutes that the chat remembers it could a second one appear.
 */
export async function deliverMessage(ctx: Context, claimed: ClaimedMessage): Promise<Delivery> {
  const on = ctx.database.query;
  const parsed = ChatMessage.safeParse(claimed.message);
  if (!parsed.success) {
    await noteFailed(on, claimed, {
      next: null,
      error: "not a message",
      messageId: claimed.messageId,
    });
    return "givenUp";
  }
  let messageId = claimed.messageId;
  try {
    const channelId = await channelOf(ctx.chat, claimed);
    if (messageId === null) {
      messageId = (await ctx.chat.postMessage(channelId, parsed.data, markOf(claimed.subject)))
        .messageId;
      // An earlier attempt may have posted an earlier version, which the chat has just given again.
      if (claimed.attempts > 1) await ctx.chat.editMessage(channelId, messageId, parsed.data);
    } else {
      await ctx.chat.editMessage(channelId, messageId, parsed.data);
    }
    await noteDelivered(on, claimed, { messageId });
    return "delivered";
  } catch (thrown) {
    if (!isChatFailure(thrown)) throw thrown;
    return noteFailure(ctx, claimed, { failure: thrown, messageId });
  }
}

async function channelOf(
  chat: ChatClient,
  { channelId, recipientId }: ClaimedMessage,
): Promise<bigint> {
  if (recipientId !== null) return (await chat.openDirectChannel(recipientId)).channelId;
  if (channelId !== null) return channelId;
  throw chatFailure({ kind: "refused", detail: "the message has no place" });
}

/** A post with the same mark is made once. It is the subject's own: a subject is posted once and edited from then on. */
const markOf = (subject: string): string =>
  createHash("sha256").update(subject).digest("base64url").slice(0, 25);

async function noteFailure(
  ctx: Context,
  claimed: ClaimedMessage,
  { failure, messageId }: { failure: ChatFailure; messageId: bigint | null },
): Promise<Delivery> {
  const on = ctx.database.query;
  const after = (seconds: number) => new Date(ctx.now().getTime() + Math.ceil(seconds * secondMs));
  const error = failure.message;
  if (failure.kind === "gone" && messageId !== null) {
    await noteDelivered(on, claimed, { messageId, remark: error });
    return "dropped";
  }
  if (failure.retryAfter !== undefined) {
    await postpone(on, claimed, after(failure.retryAfter));
    return "postponed";
  }
  const last = failure.kind !== "retry" || claimed.attempts >= mostAttempts;
  const wait = Math.min(backOff.longest, backOff.first * 2 ** (claimed.attempts - 1));
  await noteFailed(on, claimed, { next: last ? null : after(wait), error, messageId });
  if (last) ctx.log.warn({ subject: claimed.subject, error }, "a chat message was given up");
  return last ? "givenUp" : "failed";
}

/** Longer than all calls of one delivery may take together, so that nobody else takes it over while they are under way. */
const leaseSeconds = 60;
const mostInARun = 200;

/** Delivers what is due, one message after the other, until nothing is, or the signal says to stop. */
export async function deliverDue(
  ctx: Context,
  signal?: AbortSignal,
): Promise<Record<Delivery, number>> {
  const counts = { delivered: 0, dropped: 0, postponed: 0, failed: 0, givenUp: 0 };
  for (let turn = 0; turn < mostInARun && !signal?.aborted; turn++) {
    const now = ctx.now();
    const leasedUntil = new Date(now.getTime() + leaseSeconds * secondMs);
    const claimed = await claimDue(ctx.database.query, { now, leasedUntil });
    if (!claimed) break;
    counts[await deliverMessage(ctx, claimed)] += 1;
  }
  return counts;
}

/** Brings to the chat what nobody delivered at once: retries, and what a process left that died. */
export const deliverChat: Job = {
  name: "deliver-chat",
  cadence: { everySeconds: 10 },
  budget: 0,
  run: (ctx, { signal }) => deliverDue(ctx, signal),
};

/** Delivers what was queued, after the answer. Call it after the commit; what fails here is the job's to try again. */
export const deliverSoon = (ctx: Context): void =>
  ctx.defer(async () => {
    await deliverDue(ctx);
  });

/** Messages that are not in the chat as they should be. */
export interface Undelivered {
  readonly waiting: number;
  /** The chat refused them for good; the newest version of each stays undone. */
  readonly givenUp: number;
}

export const countUndeliveredChatMessages = (ctx: Context): Promise<Undelivered> =>
  countUndeliveredMessages(ctx.database.keyPool);
