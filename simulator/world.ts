import { dayMs } from "#server/platform/time";
import { createStatusMachine, type PlayerStatus, type StatusState, statusOf } from "./condition";
import { createRandom } from "./draw";
import { createFactions, type Faction, hasAbility } from "./factions";
import { homeCity } from "./names";
import type { StatModelName } from "./people/battle-stats";
import { createPlayers, type Player } from "./players";

export interface Membership {
  readonly faction: Faction;
  readonly position: string;
  readonly since: Date;
}

/** Omitted fields stay; null clears. */
export interface PlayerChange {
  name?: string;
  level?: number;
  chatId?: bigint | null;
  factionId?: number | null;
  position?: string;
  /** Null: the drawn status applies again. */
  status?: { state: StatusState; until?: Date | null; place?: string } | null;
  lastAction?: Date | null;
}

export interface WorldOptions {
  seed: number;
  /** End of the world's generated past. */
  epoch: Date;
  players: number;
  factions: number;
  statModel?: StatModelName;
}

export type World = ReturnType<typeof createWorld>;

/** Draws, overlaid by the changes of control verbs. */
export function createWorld(options: WorldOptions) {
  const { seed, epoch } = options;
  const players = createPlayers({ seed, epoch, count: options.players });
  const factions = createFactions({
    seed,
    epoch,
    players: options.players,
    factions: options.factions,
  });
  const condition = createStatusMachine(seed);
  const joinDraw = createRandom(seed, "joined");
  const changes = new Map<number, PlayerChange & { joined?: Date }>();
  const changedChats = new Map<bigint, number>();
  /** Set statuses by player, oldest first, so that the past stays. */
  const setStatuses = new Map<number, { from: number; status: PlayerChange["status"] }[]>();
  const transfers = new Map<number, { from: number; faction: number | null }[]>();
  /** Times when a player left a faction or a crime: Unix milliseconds, oldest first. */
  const departures = new Map<number, number[]>();

  function at(index: number): Player {
    const player = players.at(index);
    const change = changes.get(index);
    if (!change) return player;
    const { name = player.name, level = player.level, chatId = player.chatId } = change;
    return { ...player, name, level, chatId };
  }

  function player(id: number): Player | null {
    const index = players.indexOf(id);
    return index === null ? null : at(index);
  }

  function playerOfChat(chatId: bigint): Player | null {
    const index = changedChats.get(chatId) ?? players.indexOfChat(chatId);
    const found = index === null ? null : at(index);
    return found?.chatId === chatId ? found : null;
  }

  function membership(of: Player): Membership | null {
    const faction = factions.ofPlayer(of.index);
    if (!faction) return null;
    const age = (epoch.getTime() - of.signedUp.getTime()) / dayMs;
    const days = joinDraw.unit(of.index) * Math.min(age, 1_500);
    const since = changes.get(of.index)?.joined ?? new Date(epoch.getTime() - days * dayMs);
    return { faction, position: factions.positionOf(of.index), since };
  }

  function status(of: Player, now: Date): PlayerStatus {
    const set = setStatuses.get(of.index)?.findLast(({ from }) => from <= now.getTime())?.status;
    const over = set?.until && set.until.getTime() <= now.getTime();
    if (!set || over) return condition.status(of, now);
    return statusOf(set.state, { until: set.until ?? null, place: set.place ?? homeCity, now });
  }

  const depart = (index: number, now: Date): number => {
    const known = [...(departures.get(index) ?? []), now.getTime()];
    departures.set(index, known);
    return known.length;
  };

  function factionIndexAt(index: number, ms: number): number | null {
    const transfer = transfers.get(index)?.findLast(({ from }) => from <= ms);
    return transfer ? transfer.faction : factions.drawnFaction(index);
  }

  /** @returns false if no such player or faction exists */
  function change(id: number, requested: PlayerChange, now: Date): boolean {
    const index = players.indexOf(id);
    const { factionId, status, chatId, position } = requested;
    if (index === null || (typeof factionId === "number" && !factions.find(factionId)))
      return false;
    const from = now.getTime();
    const moves = factionId !== undefined && factionId !== (factions.ofPlayer(index)?.id ?? null);
    changes.set(index, { ...changes.get(index), ...requested, ...(moves ? { joined: now } : {}) });
    if (status !== undefined)
      setStatuses.set(index, [...(setStatuses.get(index) ?? []), { from, status }]);
    if (chatId) changedChats.set(chatId, index);
    if (moves) {
      depart(index, now);
      factions.move(index, factionId);
      const faction = factions.ofPlayer(index)?.index ?? null;
      transfers.set(index, [...(transfers.get(index) ?? []), { from, faction }]);
    }
    if (position !== undefined) factions.setPosition(index, position);
    return true;
  }

  return {
    player,
    playerOfChat,
    membership,
    status,
    change,
    faction: factions.find,
    factionAt: factions.at,
    members: (faction: Faction) => factions.roster(faction).map(at),
    playerAt: at,
    idAt: players.idAt,
    traits: players.traits,
    factionIndexAt,
    recruitAt: (index: number, ms: number): boolean => {
      const first = transfers.get(index)?.[0];
      const position =
        first && ms < first.from ? factions.drawnPosition(index) : factions.positionOf(index);
      return position === "Recruit";
    },
    /** Names with `drawn` or `first` ignore changes by control verbs. */
    drawnFaction: factions.drawnFaction,
    drawnPosition: factions.drawnPosition,
    drawnStatus: condition.status,
    firstMembers: factions.firstRoster,
    /** Takes a player out of their crime. Returns the count of their departures. */
    depart,
    /** Unix milliseconds, at or after `ms`, without the first `skip`; Infinity if none. */
    departureAfter: (index: number, ms: number, skip: number) =>
      departures.get(index)?.find((departure, place) => place >= skip && departure >= ms) ??
      Number.POSITIVE_INFINITY,
    lastAction: (of: Player, now: Date) =>
      changes.get(of.index)?.lastAction ?? condition.lastAction(of, now),
    /** True if the player's position lets their key read private faction data. */
    hasFactionAccess: (of: Player) => {
      const place = membership(of);
      return (
        place !== null && hasAbility(place.faction.positions, place.position, "Faction API Access")
      );
    },
    setPositions: factions.setPositions,
    counts: { players: options.players, factions: options.factions },
  };
}
