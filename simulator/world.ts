import { dayMs } from "#server/platform/time";
import { createCondition, type Status, type StatusState, statusOf } from "./condition";
import { createDraw } from "./draw";
import { createFactions, type Faction } from "./factions";
import { home } from "./names";
import type { StatModelName } from "./people/battle-stats";
import { createPlayers, type Player } from "./players";
import { grants } from "./positions";

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
  /** Null returns the status to the status machine. */
  status?: { state: StatusState; until?: Date | null; place?: string } | null;
  lastAction?: Date | null;
}

export interface WorldOptions {
  seed: number;
  /** End of the world's generated past. */
  epoch: Date;
  players: number;
  factions: number;
  /** How battle stats come about; default plain. */
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
  const condition = createCondition(seed);
  const joinDraw = createDraw(seed, "joined");
  const changes = new Map<number, PlayerChange & { joined?: Date }>();
  const changedChats = new Map<bigint, number>();
  let version = 0;
  /** Set statuses by player, oldest first, so that the past stays. */
  const setStatuses = new Map<number, { from: number; status: PlayerChange["status"] }[]>();
  const transfers = new Map<number, { from: number; faction: number | null }[]>();
  /** Departures from a faction or a crime by player; Unix milliseconds, oldest first. */
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

  function status(of: Player, now: Date): Status {
    const set = setStatuses.get(of.index)?.findLast(({ from }) => from <= now.getTime())?.status;
    const over = set?.until && set.until.getTime() <= now.getTime();
    if (!set || over) return condition.status(of, now);
    return statusOf(set.state, { until: set.until ?? null, place: set.place ?? home, now });
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
    if (index === null) return false;
    if (typeof requested.factionId === "number" && !factions.find(requested.factionId))
      return false;
    const before = changes.get(index) ?? {};
    version += 1;
    const moves =
      requested.factionId !== undefined &&
      requested.factionId !== (factions.ofPlayer(index)?.id ?? null);
    changes.set(index, { ...before, ...requested, ...(moves ? { joined: now } : {}) });
    if (requested.status !== undefined)
      setStatuses.set(index, [
        ...(setStatuses.get(index) ?? []),
        { from: now.getTime(), status: requested.status },
      ]);
    if (moves) depart(index, now);
    if (requested.chatId) changedChats.set(requested.chatId, index);
    if (moves) {
      factions.move(index, requested.factionId ?? null);
      const faction = factions.ofPlayer(index)?.index ?? null;
      transfers.set(index, [...(transfers.get(index) ?? []), { from: now.getTime(), faction }]);
    }
    if (requested.position !== undefined) factions.setPosition(index, requested.position);
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
    holder: (faction: Faction, position: string) =>
      factions.roster(faction).find((index) => factions.positionOf(index) === position) ?? null,
    playerAt: at,
    idAt: players.idAt,
    traits: players.traits,
    sessionsOn: condition.sessionsOn,
    factionIndexAt,
    recruitAt: (index: number, ms: number): boolean => {
      const first = transfers.get(index)?.[0];
      const position =
        first && ms < first.from ? factions.drawnPosition(index) : factions.positionOf(index);
      return position === "Recruit";
    },
    /** The status set by a verb that kept the player from attacking at that second, or null. */
    setStateAt: (index: number, second: number): StatusState | null => {
      const set = setStatuses.get(index)?.findLast(({ from }) => from <= second * 1000)?.status;
      if (!set || set.state === "Okay" || (set.until && set.until.getTime() <= second * 1000))
        return null;
      return set.state;
    },
    version: () => version,
    /** Players that a control verb ever moved out of a faction or into another. */
    movedPlayers: () => transfers.keys(),
    drawnFaction: factions.drawnFaction,
    /** Drawn members in their order, without later changes. */
    firstMembers: factions.firstRoster,
    drawnPosition: factions.drawnPosition,
    drawnStatus: condition.status,
    drawnPlayer: players.at,
    /** Takes a player out of their crime. Returns the count of their departures. */
    depart,
    /**
     * Unix milliseconds of the first departure at or after `ms`, after `skip` others; Infinity if
     * none.
     */
    departureAfter: (index: number, ms: number, skip: number) =>
      departures.get(index)?.find((departure, place) => place >= skip && departure >= ms) ??
      Number.POSITIVE_INFINITY,
    lastAction: (of: Player, now: Date) =>
      changes.get(of.index)?.lastAction ?? condition.lastAction(of, now),
    /** True if the player's position lets their key read private faction data. */
    hasFactionAccess: (of: Player) => {
      const place = membership(of);
      return (
        place !== null && grants(place.faction.positions, place.position, "Faction API Access")
      );
    },
    setPositions: factions.setPositions,
    counts: { players: options.players, factions: options.factions },
  };
}
