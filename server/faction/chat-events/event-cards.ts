import type { Queryable } from "#db/client";
import { withdrawMessages } from "#server/chat/deliver-message";
import type { ChatMessage } from "#server/chat/message";
import type { Context } from "#server/context";
import { toUnixSeconds } from "#server/platform/time";
import { answerableSince, answerSeconds } from "../attacks/retaliation";
import { type Hit, listUnclosed } from "../attacks/store";
import { inWords } from "../banking/describe-request";
import { clearEventsChoice, type Listing } from "../chat-link/store";
import { listDelayed, type listHoldUps } from "../crimes/store";

/** Subject of the one message that is edited from then on. */
export const retaliationSubject = (code: string): string => `retaliation:${code}`;
export const crimeSubject = (crimeId: number): string => `crime:${crimeId}`;

const defenderOf = ({ defenderId, defenderName }: Hit) =>
  inWords({ playerId: defenderId, name: defenderName });
const attackerOf = ({ attackerId, attackerName }: Hit) =>
  inWords({ playerId: attackerId, name: attackerName });

interface HitLink {
  readonly gameName: string;
  readonly attackerUrl: string | null;
}

export const openHitCard = (hit: Hit, { gameName, attackerUrl }: HitLink): ChatMessage => ({
  card: {
    title: `${hit.defenderName} was hit`,
    body: `${attackerOf(hit)} hit ${defenderOf(hit)}. Retaliate in time.`,
    tone: "warning",
    fields: [{ name: "Open until", at: toUnixSeconds(hit.attackEnded) + answerSeconds }],
  },
  ...(attackerUrl && {
    buttons: [{ label: `${hit.attackerName} in ${gameName}`, url: attackerUrl }],
  }),
});

export const closedHitCard = (hit: Hit, reason: "answered" | "expired"): ChatMessage => ({
  card:
    reason === "answered"
      ? {
          title: `${hit.defenderName} was hit: retaliated`,
          body: `${attackerOf(hit)} hit ${defenderOf(hit)}. A member retaliated in time.`,
          tone: "good",
        }
      : {
          title: `${hit.defenderName} was hit: too late`,
          body: `${attackerOf(hit)} hit ${defenderOf(hit)}. No retaliation within five minutes.`,
          tone: "error",
        },
});

const timeOfDay = (at: Date) => `${at.toISOString().slice(11, 16)} TCT`;

const mostNamed = 12;

export function delayedCrimeCard(
  crime: { readonly name: string },
  holdUps: Awaited<ReturnType<typeof listHoldUps>>,
): ChatMessage {
  const named = holdUps
    .slice(0, mostNamed)
    .map(
      (one) =>
        `${inWords(one)}, ${one.position} #${one.positionIndex}: ${one.reason} (at ${timeOfDay(one.seenAt)})`,
    );
  const more = holdUps.length - named.length;
  const lines = more > 0 ? [...named, `and ${more} more`] : named;
  return {
    card: {
      title: `OC delayed: ${crime.name}`,
      body: ["The OC is ready, but waits for:", ...lines].join("\n"),
      tone: "warning",
    },
  };
}

export const resumedCrimeCard = (crime: { readonly name: string }): ChatMessage => ({
  card: {
    title: `OC resumed: ${crime.name}`,
    body: "It no longer waits for a member.",
    tone: "good",
  },
});

export const moreCard = (more: number, gameName: string): ChatMessage => ({
  card: {
    title: more === 1 ? "1 more" : `${more} more`,
    body: `Too many retaliations and delayed OCs in one minute to post one by one. See the rest in ${gameName}.`,
    tone: "info",
  },
});

/**
 * Ends the event cards in a server's channel, in the caller's transaction: queued messages are
 * withdrawn, posted ones stay.
 */
export async function endEventCards(ctx: Context, tx: Queryable, of: Listing): Promise<void> {
  if (await clearEventsChoice(tx, of)) await withdrawCards(ctx, tx, of.factionId);
}

export async function withdrawCards(ctx: Context, tx: Queryable, factionId: number): Promise<void> {
  const hits = await listUnclosed(tx, factionId, answerableSince(ctx.now()));
  const crimes = await listDelayed(tx, factionId);
  await withdrawMessages(tx, [...hits.map(retaliationSubject), ...crimes.map(crimeSubject)]);
}
