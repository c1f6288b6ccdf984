import { createHash } from "node:crypto";
import type { Context } from "#server/context";
import type { Job } from "#server/jobs/job";
import { secondMs } from "#server/platform/time";
import { createWorker } from "#server/work/worker";
import type { ChatClient } from "./client";
import { ChatMessage } from "./message";
import {
  type ClaimedMessage,
  chatWorkTable,
  claimDueMessage,
  noteDelivered,
  noteFailed,
  postpone,
} from "./store";
import { type ChatFailure, chatFailure, isChatFailure } from "./transport";

export {
  deleteDirectMessages,
  deleteUnpostedMessages as withdrawMessages,
  lockChatMessages,
  queueChatMessages,
  readMessageBacklog as countUndeliveredMessages,
} from "./store";

export type DeliveryOutcome = "delivered" | "dropped" | "postponed" | "failed" | "givenUp";

/** Seconds; exponential backoff. */
const backOff = { first: 5, longest: 900 };
/** Retries take about five hours in all. */
const mostAttempts = 30;

/** After a crash, the idempotency key makes a second post return the first message. */
async function deliverMessage(ctx: Context, claimed: ClaimedMessage): Promise<DeliveryOutcome> {
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
      // An earlier attempt may have posted an older version.
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

/** Idempotency key of the first post. Later versions edit that message. */
const markOf = (subject: string): string =>
  createHash("sha256").update(subject).digest("base64url").slice(0, 25);

async function noteFailure(
  ctx: Context,
  claimed: ClaimedMessage,
  { failure, messageId }: { failure: ChatFailure; messageId: bigint | null },
): Promise<DeliveryOutcome> {
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

const mostInARun = 200;

/** Sends one message at a time, because the chat limits calls by channel. */
export async function deliverDue(
  ctx: Context,
  signal?: AbortSignal,
): Promise<Record<DeliveryOutcome, number>> {
  const counts = { delivered: 0, dropped: 0, postponed: 0, failed: 0, givenUp: 0 };
  let left = mostInARun;
  const worker = createWorker<ClaimedMessage>(ctx, {
    name: "chat messages",
    table: chatWorkTable,
    claim: async (held) => {
      const mayClaim = held.length === 0 && left > 0 && !signal?.aborted;
      const items = mayClaim ? await claimDueMessage(ctx.database.query, ctx.now()) : [];
      left -= items.length;
      return { items, dueAt: null };
    },
    perform: async (message) => {
      counts[await deliverMessage(ctx, message)] += 1;
    },
  });
  await worker.run();
  return counts;
}

export const deliverChatJob: Job = {
  name: "deliver-chat",
  cadence: { everySeconds: 10 },
  budget: 0,
  run: (ctx, { signal }) => deliverDue(ctx, signal),
};

/** Must be called after the commit; the job retries failures. */
export const deliverSoon = (ctx: Context): void =>
  ctx.defer(async () => {
    await deliverDue(ctx);
  });
