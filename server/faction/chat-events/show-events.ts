import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Queryable } from "#db/client";
import {
  deliverSoon,
  lockChatMessages,
  queueChatMessages,
  withdrawMessages,
} from "#server/chat/deliver-message";
import type { ChatMessage, DesiredMessage } from "#server/chat/message";
import type { Context } from "#server/context";
import { advanceLogReader, type LoggedEvent, type LogReader } from "#server/event-log/read-log";
import { profileUrl } from "#server/game/site-urls";
import type { Job } from "#server/jobs/job";
import { hourMs, minuteMs, toUnixSeconds } from "#server/platform/time";
import { retaliationCutoff, retaliationWindowSeconds } from "../attacks/retaliation";
import { findRetaliations, type Hit, listUnclosedCodes } from "../attacks/store";
import { formatPlayerName } from "../banking/describe-request";
import {
  clearEventsChoice,
  type EventCardKind,
  type EventsChoice,
  type FactionListing,
  lockEventsChoices,
} from "../chat-link/store";
import { findCrimes, listDelayedCrimeIds, listDelayingMembers } from "../crimes/store";
import { crimeDelayed, crimeResumed, retaliationClosed, retaliationOpened } from "../events";

/** Most new messages per faction and minute. The chat accepts five in five seconds. */
export const eventCardsAMinute = 20;
const oldDelayMs = hourMs;

const Memory = z.object({
  minute: z.int(),
  factions: z.record(z.string(), z.object({ shown: z.int(), more: z.int() })),
});
type Memory = z.output<typeof Memory>;

interface Card {
  readonly factionId: number;
  readonly kind: EventCardKind;
  readonly subject: string;
  readonly message: ChatMessage;
  /** If false, a posted card is edited, but no new card is posted. */
  readonly open: boolean;
}

export const postEventCardsJob: Job = {
  name: "show-events",
  cadence: { everySeconds: 2 },
  budget: 0,
  run: async (ctx, { signal }) => {
    const events = await advanceLogReader(ctx, eventCardsReader(ctx), signal);
    if (events > 0) deliverSoon(ctx);
    return { events };
  },
};

/** Cards show the current state of a subject, not its state at the event. */
const eventCardsReader = (ctx: Context): LogReader<Memory> => ({
  name: "event-cards",
  memory: Memory,
  first: { minute: 0, factions: {} },
  read: async (tx, page, memory) => {
    const followed = await followedOf(tx, page);
    if (followed.size === 0) return memory;
    const near = page.filter(({ factionId }) => factionId !== null && followed.has(factionId));
    const cards = [...(await hitCards(ctx, tx, near)), ...(await crimeCards(ctx, tx, near))];
    return queueCards(ctx, tx, { cards, followed, memory });
  },
});

const shownTypes = [retaliationOpened, retaliationClosed, crimeDelayed, crimeResumed].map(
  ({ type }) => type,
);

async function followedOf(
  tx: Queryable,
  page: readonly LoggedEvent[],
): Promise<Map<number, EventsChoice>> {
  const ids = new Set(
    page.flatMap(({ type, factionId }) =>
      factionId !== null && shownTypes.includes(type) ? [factionId] : [],
    ),
  );
  if (ids.size === 0) return new Map();
  const rows = await lockEventsChoices(tx, [...ids]);
  return new Map(rows.map(({ factionId, ...choice }) => [factionId, choice]));
}

async function hitCards(
  ctx: Context,
  tx: Queryable,
  page: readonly LoggedEvent[],
): Promise<Card[]> {
  const closed = new Map(
    page.flatMap(({ type, subject, data }) =>
      type === retaliationClosed.type ? [[subject, data.reason]] : [],
    ),
  );
  const opened = page
    .filter(({ type }) => type === retaliationOpened.type)
    .map(({ subject }) => subject);
  const codes = [...new Set([...opened, ...closed.keys()])];
  if (codes.length === 0) return [];
  const since = retaliationCutoff(ctx.now());
  return (await findRetaliations(tx, codes)).flatMap((hit): Card[] => {
    const of = {
      factionId: hit.factionId,
      kind: "hits",
      subject: retaliationSubject(hit.code),
    } as const;
    if (closed.has(hit.code)) {
      const reason = closed.get(hit.code) === "answered" ? "answered" : "expired";
      return [{ ...of, message: closedHitCard(hit, reason), open: false }];
    }
    if (hit.answered || !hit.there || hit.attackEnded < since) return [];
    const { gameName } = ctx.settings;
    const attackerUrl = profileUrl(ctx.settings, hit.attackerId);
    return [{ ...of, message: openHitCard(hit, { gameName, attackerUrl }), open: true }];
  });
}

async function crimeCards(
  ctx: Context,
  tx: Queryable,
  page: readonly LoggedEvent[],
): Promise<Card[]> {
  const told = page.filter(({ type }) => type === crimeDelayed.type || type === crimeResumed.type);
  if (told.length === 0) return [];
  const newest = new Map(told.map(({ subject, at }) => [Number(subject), at]));
  const holdUps = await listDelayingMembers(tx, [...newest.keys()]);
  const old = new Date(ctx.now().getTime() - oldDelayMs);
  return (await findCrimes(tx, [...newest.keys()])).map((crime): Card => {
    const { crimeId, factionId, delayedSince } = crime;
    const of = { factionId, kind: "delays", subject: crimeSubject(crimeId) } as const;
    const holding = holdUps.filter((one) => one.crimeId === crimeId);
    if (delayedSince === null || holding.length === 0)
      return { ...of, message: resumedCrimeCard(crime), open: false };
    const at = newest.get(crimeId);
    return {
      ...of,
      message: delayedCrimeCard(crime, holding),
      open: at !== undefined && at >= old,
    };
  });
}

/**
 * Edits posted cards, withdraws queued cards of closed events, and posts new cards up to the limit.
 */
async function queueCards(
  ctx: Context,
  tx: Queryable,
  of: {
    readonly cards: readonly Card[];
    readonly followed: ReadonlyMap<number, EventsChoice>;
    readonly memory: Memory;
  },
): Promise<Memory> {
  const now = ctx.now();
  const minute = Math.floor(now.getTime() / minuteMs);
  const factions = of.memory.minute === minute ? structuredClone(of.memory.factions) : {};
  const subjects = of.cards.map(({ subject }) => subject);
  const queued = new Map(
    (await lockChatMessages(tx, subjects)).map((message) => [message.subject, message]),
  );
  const desired: DesiredMessage[] = [];
  const withdrawn: string[] = [];
  const exceeded = new Set<number>();
  for (const { factionId, kind, subject, message, open } of of.cards) {
    const { channelId, shown = [] } = of.followed.get(factionId) ?? {};
    if (!channelId) continue;
    const before = queued.get(subject);
    if (before) {
      if (!open && !before.shown) withdrawn.push(subject);
      else if (!isDeepStrictEqual(before.message, message))
        desired.push({ subject, to: { channelId }, message });
      continue;
    }
    if (!open || !shown.includes(kind)) continue;
    const count = factions[factionId] ?? { shown: 0, more: 0 };
    factions[factionId] = count;
    if (count.shown < eventCardsAMinute) {
      count.shown += 1;
      desired.push({ subject, to: { channelId }, message });
    } else {
      count.more += 1;
      exceeded.add(factionId);
    }
  }
  for (const factionId of exceeded) {
    const { channelId } = of.followed.get(factionId) ?? {};
    const message = moreCard(factions[factionId]?.more ?? 0, ctx.settings.gameName);
    if (channelId)
      desired.push({
        subject: `faction-events:${factionId}:${minute}`,
        to: { channelId },
        message,
      });
  }
  await withdrawMessages(tx, withdrawn);
  await queueChatMessages(tx, desired, now);
  return { minute, factions };
}

/** A later event with the same subject edits the message. */
const retaliationSubject = (code: string): string => `retaliation:${code}`;
const crimeSubject = (crimeId: number): string => `crime:${crimeId}`;

const defenderOf = ({ defenderId, defenderName }: Hit) =>
  formatPlayerName({ playerId: defenderId, name: defenderName });
const attackerOf = ({ attackerId, attackerName }: Hit) =>
  formatPlayerName({ playerId: attackerId, name: attackerName });

const openHitCard = (
  hit: Hit,
  { gameName, attackerUrl }: { gameName: string; attackerUrl: string | null },
): ChatMessage => ({
  card: {
    title: `${hit.defenderName} was hit`,
    body: `${attackerOf(hit)} hit ${defenderOf(hit)}. Retaliate in time.`,
    tone: "warning",
    fields: [{ name: "Open until", at: toUnixSeconds(hit.attackEnded) + retaliationWindowSeconds }],
  },
  ...(attackerUrl && {
    buttons: [{ label: `${hit.attackerName} in ${gameName}`, url: attackerUrl }],
  }),
});

const closedHitCard = (hit: Hit, reason: "answered" | "expired"): ChatMessage => ({
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

function delayedCrimeCard(
  crime: { readonly name: string },
  holdUps: Awaited<ReturnType<typeof listDelayingMembers>>,
): ChatMessage {
  const named = holdUps
    .slice(0, mostNamed)
    .map(
      (one) =>
        `${formatPlayerName(one)}, ${one.position} #${one.positionIndex}: ${one.reason} (at ${timeOfDay(one.seenAt)})`,
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

const resumedCrimeCard = (crime: { readonly name: string }): ChatMessage => ({
  card: {
    title: `OC resumed: ${crime.name}`,
    body: "It no longer waits for a member.",
    tone: "good",
  },
});

const moreCard = (more: number, gameName: string): ChatMessage => ({
  card: {
    title: more === 1 ? "1 more" : `${more} more`,
    body: `Too many retaliations and delayed OCs in one minute to post one by one. See the rest in ${gameName}.`,
    tone: "info",
  },
});

/** Queued cards are withdrawn; posted cards stay in the channel. */
export async function stopEventCards(
  ctx: Context,
  tx: Queryable,
  of: FactionListing,
): Promise<void> {
  if (await clearEventsChoice(tx, of)) await deleteUnpostedCards(ctx, tx, of.factionId);
}

export async function deleteUnpostedCards(
  ctx: Context,
  tx: Queryable,
  factionId: number,
): Promise<void> {
  const hits = await listUnclosedCodes(tx, factionId, retaliationCutoff(ctx.now()));
  const crimes = await listDelayedCrimeIds(tx, factionId);
  await withdrawMessages(tx, [...hits.map(retaliationSubject), ...crimes.map(crimeSubject)]);
}
