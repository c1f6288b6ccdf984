import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { Attempt } from "./attempt";
import { type DeliveryRow, insertDeliveries } from "./deliveries-store";
import { deleteStored, saveMessages } from "./message-store";
import type { Message } from "./messages";
import { nextAttemptAt, type Verdict } from "./retry";

/** The result of an attempt at a message, or of a check that withdrew it unsent. */
export interface Result {
  readonly message: Message;
  readonly attempt: number;
  readonly at: Date;
  readonly outcome: DeliveryRow["outcome"];
  readonly answer: Attempt | undefined;
  readonly nextAt: Date | undefined;
}

export const withdrawn = (message: Message, at: Date): Result => ({
  ...{
    message,
    attempt: message.attempts,
    at,
    outcome: "withdrawn",
    answer: undefined,
    nextAt: undefined,
  },
});

const drawBytes = 4;

/** @param at when the attempt was begun */
export function resultOf(
  ctx: Context,
  message: Message,
  {
    at,
    answer,
    verdict,
  }: { readonly at: Date; readonly answer: Attempt; readonly verdict: Verdict },
): Result {
  const attempt = message.attempts + 1;
  const result = { message, attempt, at, answer, nextAt: undefined };
  if (verdict.message !== "failed")
    return { ...result, outcome: verdict.message === "delivered" ? "delivered" : "given-up" };
  const random = () => Buffer.from(ctx.ids.bytes(drawBytes)).readUInt32BE() / 2 ** (8 * drawBytes);
  const retryAfter = "failure" in answer ? null : answer.retryAfter;
  const failed = { attempts: attempt, firstAttemptAt: message.firstAttemptAt ?? at, retryAfter };
  const nextAt = nextAttemptAt(failed, ctx.now(), random);
  return { ...result, outcome: nextAt ? "failed" : "exhausted", nextAt };
}

/** Writes results: the list for developers, and the messages that wait for another attempt or no longer. */
export async function saveResults(
  tx: Queryable,
  endpointId: string,
  results: readonly Result[],
): Promise<void> {
  // A message that was withdrawn before any attempt leaves no trace.
  const shown = results.filter(({ outcome, attempt }) => outcome !== "withdrawn" || attempt > 0);
  await insertDeliveries(
    tx,
    shown.map(
      ({ message: { messageId, seq, playerId, type }, attempt, at, outcome, answer, nextAt }) => ({
        ...{
          endpointId,
          messageId,
          seq,
          playerId,
          type,
          attempt,
          at,
          outcome,
          nextAt: nextAt ?? null,
        },
        ...(answer && { phases: answer.phases }),
        ...(answer &&
          ("failure" in answer
            ? { failure: answer.failure }
            : { status: answer.status, excerpt: answer.excerpt })),
      }),
    ),
  );
  const over = results.filter(({ nextAt, message }) => !nextAt && message.isStored);
  await deleteStored(
    tx,
    endpointId,
    over.map(({ message }) => message.messageId),
  );
  await saveMessages(
    tx,
    results.flatMap(({ message, attempt, at, nextAt }) =>
      nextAt
        ? [
            {
              ...{
                endpointId,
                messageId: message.messageId,
                seq: message.seq,
                playerId: message.playerId,
              },
              ...{ type: message.type, body: message.body ?? null, attempts: attempt, nextAt },
              firstAttemptAt: message.firstAttemptAt ?? at,
            },
          ]
        : [],
    ),
  );
}
