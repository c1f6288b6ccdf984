import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import type { EventType } from "#server/event-log/event-type";
import { selectionsOf } from "#server/game/selections";
import { attackUrl } from "#server/game/site-urls";
import { csvOf } from "#server/platform/csv";
import { dayMs, minuteMs, secondMs, weekMs } from "#server/platform/time";
import { type Opponent, showOpponents } from "#server/stats/entries/show-scores";
import { hasWorkingKey } from "#server/users/keys/pick-key";
import { memberEvents } from "#server/users/membership/events";
import { attackEvents } from "./attacks/events";
import { answerableSince, answerSeconds } from "./attacks/retaliation";
import { type Hit, listOpenRetaliations } from "./attacks/store";
import { vaultRequestEvents } from "./banking/events";
import {
  type BankingPage,
  listWaiting,
  payableBy,
  type RequestView,
  viewRequests,
} from "./banking/show-banking";
import type { HoldUp } from "./chat-events/event-cards";
import { readChatLink } from "./chat-link/read-chat-link";
import { crimeEvents } from "./crimes/events";
import { findCrimes, listDelayed, listHoldUps } from "./crimes/store";
import { factionApiAbility } from "./positions/contract";
import { positionsChanged } from "./positions/events";
import {
  isBanker,
  mayDecideForFaction,
  ownMembership,
  readMembership,
} from "./positions/membership";
import { findStatSharing } from "./scores/store";
import { countMembers, listMembersAsSeen } from "./store";
import { findLastSyncs } from "./sync-store";

export interface Board {
  readonly factionName: string;
  readonly now: Date;
  readonly reading: {
    /** Parts that no member's key may read. */
    readonly unread: readonly ("attacks" | "crimes")[];
    readonly mayRead: boolean;
    readonly hitsAt: Date | null;
    readonly crimesAt: Date | null;
  };
  readonly asksForSharing: boolean;
}

export interface BoardHits {
  readonly hits: readonly HitToAnswer[];
  /** Server time, the base of countdowns. */
  readonly now: Date;
}

export interface BoardVault {
  readonly link: BankingPage["link"];
  readonly banker: boolean;
  readonly pays: BankingPage["pays"];
  /** The oldest five. */
  readonly waiting: readonly RequestView[];
  readonly count: number;
}

export interface HitToAnswer extends Hit {
  readonly until: Date;
  /** Null if the attacker is not known here. */
  readonly attacker: Opponent | null;
  readonly attackUrl: string | null;
}

export interface HeldUpCrime {
  readonly crimeId: number;
  readonly name: string;
  readonly since: Date | null;
  readonly holdUps: readonly HoldUp[];
}

export async function showBoard(ctx: Context, { playerId }: PortalUser): Promise<Board | null> {
  const on = ctx.database.query;
  const membership = await readMembership(ctx.database, playerId);
  const { factionId, factionName, abilities } = membership;
  if (factionId === null) return null;
  const [syncs, readsAttacks, readsCrimes, { chosen }] = await Promise.all([
    findLastSyncs(on, factionId),
    hasWorkingKey(ctx, { of: "faction", factionId, reads: selectionsOf.attacks }),
    hasWorkingKey(ctx, { of: "faction", factionId, reads: selectionsOf.crimes }),
    findStatSharing(on, factionId),
  ]);
  return {
    factionName: factionName ?? `Faction ${factionId}`,
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
    asksForSharing: chosen === null && mayDecideForFaction(membership),
  };
}

export async function showHits(ctx: Context, user: PortalUser): Promise<BoardHits | null> {
  const now = ctx.now();
  const { factionId } = await readMembership(ctx.database, user.playerId);
  if (factionId === null) return null;
  const open = await listOpenRetaliations(ctx.database, { factionId, since: answerableSince(now) });
  const playerIds = [...new Set(open.map(({ attackerId }) => attackerId))];
  const opponents = await showOpponents(ctx, user, { playerIds, factionId });
  const hits = open.map((hit) => ({
    ...hit,
    attacker: opponents.get(hit.attackerId) ?? null,
    until: new Date(hit.attackEnded.getTime() + answerSeconds * secondMs),
    attackUrl: attackUrl(ctx.settings, hit.attackerId),
  }));
  return { hits, now };
}

export async function showCrimes(
  ctx: Context,
  { playerId }: PortalUser,
): Promise<readonly HeldUpCrime[] | null> {
  const on = ctx.database.query;
  const { factionId } = await readMembership(ctx.database, playerId);
  return factionId === null ? null : listHeldUpCrimes(on, factionId);
}

export async function showWaitingRequests(
  ctx: Context,
  { playerId }: PortalUser,
): Promise<BoardVault | null> {
  const on = ctx.database.query;
  const now = ctx.now();
  const membership = await readMembership(ctx.database, playerId);
  const { factionId } = membership;
  if (factionId === null) return null;
  const [link, waiting] = await Promise.all([
    readChatLink(on, factionId),
    listWaiting(on, { ...membership, factionId }, now),
  ]);
  return {
    link: link.state,
    pays: payableBy(membership),
    banker: isBanker(membership),
    waiting: await viewRequests(on, waiting.slice(0, mostWaiting), now),
    count: waiting.length,
  };
}

/** The vault's page shows the others. */
const mostWaiting = 5;

async function listHeldUpCrimes(on: Queryable, factionId: number): Promise<HeldUpCrime[]> {
  const ids = await listDelayed(on, factionId);
  if (ids.length === 0) return [];
  const [crimes, holdUps] = await Promise.all([findCrimes(on, ids), listHoldUps(on, ids)]);
  return crimes
    .map(({ crimeId, name, delayedSince }) => ({
      ...{ crimeId, name, since: delayedSince },
      holdUps: holdUps.filter((one) => one.crimeId === crimeId),
    }))
    .sort((one, other) => (one.since?.getTime() ?? 0) - (other.since?.getTime() ?? 0));
}

/** Parts that an open page reloads after a change. */
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

/** From the URL; unknown words filter nothing. */
interface MemberFilter {
  readonly state?: string | undefined;
  readonly active?: string | undefined;
  readonly name?: string | undefined;
}

export async function showMembers(ctx: Context, { playerId }: PortalUser, filter: MemberFilter) {
  const on = ctx.database.query;
  const { factionId } = await readMembership(ctx.database, playerId);
  if (factionId === null) return null;
  const active = memberActivities.find((activity) => activity === filter.active);
  const ago = (ms: number) => new Date(ctx.now().getTime() - ms);
  const activeFor = { now: presentMs, day: dayMs, week: weekMs };
  const [members, counted] = await Promise.all([
    listMembersAsSeen(on, {
      factionId,
      state: memberStates.find((state) => state === filter.state),
      activeSince: active && active !== "idle" ? ago(activeFor[active]) : undefined,
      inactiveSince: active === "idle" ? ago(weekMs) : undefined,
      name: filter.name,
    }),
    countMembers(on, factionId),
  ]);
  return { members, of: counted.members, listedAt: counted.listedAt };
}

/** Of the filtered members. @throws UnknownFaction */
export async function membersCsv(
  ctx: Context,
  user: PortalUser,
  filter: MemberFilter,
): Promise<string> {
  await ownMembership(ctx.database, user.playerId);
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
