import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import type { EventType } from "#server/event-log/event-type";
import { selectionsByCall } from "#server/game/selections";
import { attackUrl } from "#server/game/site-urls";
import { csvOf } from "#server/platform/csv";
import { dayMs, minuteMs, secondMs, weekMs } from "#server/platform/time";
import { showOpponents } from "#server/stats/entries/show-scores";
import { hasWorkingKey } from "#server/users/keys/pick-key";
import { memberEvents } from "#server/users/membership/events";
import { retaliationCutoff, retaliationWindowSeconds } from "./attacks/retaliation";
import { listOpenRetaliations } from "./attacks/store";
import { listWaiting, payableCurrenciesOf, viewRequests } from "./banking/show-banking";
import { readChatLink } from "./chat-link/read-chat-link";
import { factionApiAbility } from "./contract";
import { findCrimes, listDelayedCrimeIds, listDelayingMembers } from "./crimes/store";
import { attackEvents, crimeEvents, positionsChanged, vaultRequestEvents } from "./events";
import {
  isBanker,
  mayDecideForFaction,
  readMembership,
  requireMembership,
} from "./positions/membership";
import { countMembers, findMembersListedAt, findStatSharing, searchMembers } from "./store";
import { findLastSyncs } from "./sync-store";

export type Board = NonNullable<Awaited<ReturnType<typeof showBoard>>>;
export type BoardHits = NonNullable<Awaited<ReturnType<typeof showHits>>>;
export type HitToAnswer = BoardHits["hits"][number];
export type BoardVault = NonNullable<Awaited<ReturnType<typeof showPendingVaultRequests>>>;
export type HeldUpCrime = NonNullable<Awaited<ReturnType<typeof showDelayedCrimes>>>[number];

/** `unread` lists the parts that no member's key may read. */
export async function showBoard(ctx: Context, { playerId }: PortalUser) {
  const on = ctx.database.query;
  const member = await readMembership(ctx.database, playerId);
  if (!member) return null;
  const { factionId, factionName, abilities } = member;
  const [syncs, readsAttacks, readsCrimes, { chosen }] = await Promise.all([
    findLastSyncs(on, factionId),
    hasWorkingKey(ctx, { of: "faction", factionId, reads: selectionsByCall.attacks }),
    hasWorkingKey(ctx, { of: "faction", factionId, reads: selectionsByCall.crimes }),
    findStatSharing(on, factionId),
  ]);
  return {
    factionName,
    now: ctx.now(),
    reading: {
      unread: [
        ...(readsAttacks ? [] : (["attacks"] as const)),
        ...(readsCrimes ? [] : (["crimes"] as const)),
      ],
      mayRead: abilities.includes(factionApiAbility),
      hitsAt: syncs.attacks,
      crimesAt: syncs.crimes,
    },
    asksForSharing: chosen === null && mayDecideForFaction(member),
  };
}

/** Countdowns count from `now`. `attacker` is null for an unknown player. */
export async function showHits(ctx: Context, user: PortalUser) {
  const now = ctx.now();
  const member = await readMembership(ctx.database, user.playerId);
  if (!member) return null;
  const { factionId } = member;
  const open = await listOpenRetaliations(ctx.database, {
    factionId,
    since: retaliationCutoff(now),
  });
  const playerIds = [...new Set(open.map(({ attackerId }) => attackerId))];
  const opponents = await showOpponents(ctx, user, { playerIds, factionId });
  const hits = open.map((hit) => ({
    ...hit,
    attacker: opponents.get(hit.attackerId) ?? null,
    until: new Date(hit.attackEnded.getTime() + retaliationWindowSeconds * secondMs),
    attackUrl: attackUrl(ctx.settings, hit.attackerId),
  }));
  return { hits, now };
}

export async function showPendingVaultRequests(ctx: Context, { playerId }: PortalUser) {
  const on = ctx.database.query;
  const now = ctx.now();
  const member = await readMembership(ctx.database, playerId);
  if (!member) return null;
  const [link, waiting] = await Promise.all([
    readChatLink(on, member.factionId),
    listWaiting(on, member, now),
  ]);
  return {
    link: link.state,
    pays: payableCurrenciesOf(member),
    banker: isBanker(member),
    waiting: await viewRequests(on, waiting.slice(0, mostWaiting), now),
    count: waiting.length,
  };
}

/** The board shows this many requests, the vault's page all of them. */
const mostWaiting = 5;

export async function showDelayedCrimes(ctx: Context, { playerId }: PortalUser) {
  const on = ctx.database.query;
  const member = await readMembership(ctx.database, playerId);
  if (!member) return null;
  const ids = await listDelayedCrimeIds(on, member.factionId);
  if (ids.length === 0) return [];
  const [crimes, holdUps] = await Promise.all([findCrimes(on, ids), listDelayingMembers(on, ids)]);
  return crimes
    .map(({ crimeId, name, delayedSince }) => ({
      crimeId,
      name,
      since: delayedSince,
      holdUps: holdUps.filter((one) => one.crimeId === crimeId),
    }))
    .sort((one, other) => (one.since?.getTime() ?? 0) - (other.since?.getTime() ?? 0));
}

/** An open page reloads these parts after a change. */
export const boardParts = ["hits", "crimes", "vault", "members"] as const;

export type BoardPart = (typeof boardParts)[number];

const namesOf = (types: readonly EventType[]) => new Set(types.map(({ type }) => type));

const changedBy: Readonly<Record<BoardPart, ReadonlySet<string>>> = {
  hits: namesOf(attackEvents),
  crimes: namesOf(crimeEvents),
  // Positions decide which balances a banker may pay out.
  vault: namesOf([...vaultRequestEvents, positionsChanged]),
  members: namesOf([...memberEvents, positionsChanged]),
};

export const partsChangedBy = (type: string): BoardPart[] =>
  boardParts.filter((part) => changedBy[part].has(type));

export const memberStates = ["Okay", "Abroad", "Traveling", "Hospital", "Jail", "Federal"] as const;

export const memberActivities = ["now", "day", "week", "idle"] as const;

const presentMs = 15 * minuteMs;

/** Values come from the URL; an unknown state or activity does not filter. */
interface MemberFilter {
  readonly state?: string | undefined;
  readonly active?: string | undefined;
  readonly name?: string | undefined;
}

export async function showMembers(ctx: Context, { playerId }: PortalUser, filter: MemberFilter) {
  const on = ctx.database.query;
  const member = await readMembership(ctx.database, playerId);
  if (!member) return null;
  const { factionId } = member;
  const active = memberActivities.find((activity) => activity === filter.active);
  const ago = (ms: number) => new Date(ctx.now().getTime() - ms);
  const activeFor = { now: presentMs, day: dayMs, week: weekMs };
  const [members, of, listedAt] = await Promise.all([
    searchMembers(on, {
      factionId,
      state: memberStates.find((state) => state === filter.state),
      activeSince: active && active !== "idle" ? ago(activeFor[active]) : undefined,
      inactiveSince: active === "idle" ? ago(weekMs) : undefined,
      name: filter.name,
    }),
    countMembers(on, factionId),
    findMembersListedAt(on, factionId),
  ]);
  return { members, of, listedAt };
}

/** @throws UnknownFaction */
export async function exportMembersCsv(
  ctx: Context,
  user: PortalUser,
  filter: MemberFilter,
): Promise<string> {
  await requireMembership(ctx.database, user.playerId);
  const members = (await showMembers(ctx, user, filter))?.members ?? [];
  return csvOf(members, {
    player_id: ({ playerId }) => playerId,
    name: ({ name }) => name,
    level: ({ level }) => level,
    position: ({ position }) => position,
    status: ({ state }) => state,
    last_action: ({ lastAction }) => lastAction,
  });
}
