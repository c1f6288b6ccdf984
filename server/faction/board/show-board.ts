import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { profileUrl } from "#server/game/site-urls";
import { hasWorkingKey } from "#server/users/keys/pick-key";
import { answerableSince, answerSeconds } from "../attacks/retaliation";
import { listOpenRetaliations, type Retaliation } from "../attacks/store";
import { type BankingPage, type RequestView, showBanking } from "../banking/show-banking";
import type { HoldUp } from "../chat-events/event-cards";
import { findCrimes, listDelayed, listHoldUps } from "../crimes/store";
import { factionApiAbility } from "../positions/contract";
import { readMembership } from "../positions/read-membership";
import { mayChangeScores } from "../scores/faction-scores";
import { findStatSharing } from "../scores/store";
import { findLastSyncs } from "../store";

/** What waits in a faction, as a member sees it. */
export interface Board {
  readonly factionName: string;
  /** The server's clock, from which countdowns are counted. */
  readonly now: Date;
  readonly reading: {
    /** "first": a key is there, and nothing was read yet; "no-key": no member's key may read hits and crimes. */
    readonly state: "reading" | "first" | "no-key";
    /** Whether a key of the reader's own could, by their position. */
    readonly mayRead: boolean;
    readonly hitsAt: Date | null;
    readonly crimesAt: Date | null;
  };
  /** Whether nobody has said yet who sees what the faction's fights tell, and the reader may. */
  readonly asksForSharing: boolean;
  readonly hits: readonly HitToAnswer[];
  readonly crimes: readonly HeldUpCrime[];
  readonly vault: {
    readonly link: BankingPage["link"];
    /** Whether these are everybody's requests, or the reader's own alone. */
    readonly banker: boolean;
    readonly pays: BankingPage["pays"];
    readonly waiting: readonly RequestView[];
  };
}

export interface HitToAnswer extends Retaliation {
  readonly until: Date;
  /** The attacker's page in the game. */
  readonly attackerUrl: string;
}

export interface HeldUpCrime {
  readonly crimeId: number;
  readonly name: string;
  readonly since: Date | null;
  readonly holdUps: readonly HoldUp[];
}

/** Shows what waits in the user's own faction, as stored: the game is not asked. Null for a player without a faction. */
export async function showBoard(ctx: Context, user: PortalUser): Promise<Board | null> {
  const on = ctx.database.query;
  const now = ctx.now();
  const membership = await readMembership(on, user.playerId);
  const { factionId, abilities } = membership;
  const banking = await showBanking(ctx, user);
  // Both follow the newest known faction; a player who moved between the two is shown the new one by the next reading.
  if (factionId === null || banking?.factionId !== factionId) return null;
  const [hits, crimes, syncs, readable, { chosen }] = await Promise.all([
    listOpenRetaliations(ctx.database, { factionId, since: answerableSince(now) }),
    listHeldUpCrimes(on, factionId),
    findLastSyncs(on, factionId),
    hasWorkingKey(ctx, { of: "faction", factionId }),
    findStatSharing(on, factionId),
  ]);
  const { factionName, link, pays, queue, own } = banking;
  return {
    factionName,
    now,
    reading: {
      state: !readable ? "no-key" : syncs.attacks ? "reading" : "first",
      mayRead: abilities.includes(factionApiAbility),
      hitsAt: syncs.attacks,
      crimesAt: syncs.crimes,
    },
    asksForSharing: chosen === null && mayChangeScores(membership),
    hits: hits.map((hit) => ({
      ...hit,
      until: new Date(hit.attackEnded.getTime() + answerSeconds * 1_000),
      attackerUrl: profileUrl(hit.attackerId),
    })),
    crimes,
    vault: {
      link,
      banker: queue !== null,
      pays,
      waiting: queue ?? own.filter(({ outcome }) => outcome === "waiting"),
    },
  };
}

/** The crimes that somebody holds up now, those that stand still longest first. */
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
