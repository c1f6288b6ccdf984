import { dayMs } from "#server/platform/time";
import { createCondition, type Status, type StatusState, statusOf } from "./condition";
import { createDraw } from "./draw";
import { createFactions, type Faction } from "./factions";
import { home } from "./names";
import type { StatModelName } from "./people/battle-stats";
import { createPlayers, type Player } from "./players";
import { grants } from "./positions";

/** A player's place in a faction. */
export interface Membership {
  readonly faction: Faction;
  readonly position: string;
  readonly since: Date;
}

/** What a control verb may change about a player. A field that is left out stays; null takes away. */
export interface PlayerChange {
  name?: string;
  level?: number;
  chatId?: bigint | null;
  factionId?: number | null;
  position?: string;
  /** Null lets the status machine decide again. */
  status?: { state: StatusState; until?: Date | null; place?: string } | null;
  lastAction?: Date | null;
}

export interface WorldOptions {
  seed: number;
  /** The moment at which the world's generated past ends. */
  epoch: Date;
  players: number;
  factions: number;
  /** How battle stats come about; plain, if left out. */
  statModel?: StatModelName;
}

export type World = ReturnType<typeof createWorld>;

/** The state of the simulated game: what the draws say, and on top of it what control verbs changed. */
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
  /** Of each player the statuses that were set, oldest first: what was true before a change stays true. */
  const setStatuses = new Map<number, { from: number; status: PlayerChange["status"] }[]>();
  /** Of each player the factions that they were moved to, by index, oldest first. */
  const transfers = new Map<number, { from: number; faction: number | null }[]>();
  /** When a player left a faction, or was taken out of a crime; Unix milliseconds, oldest first. */
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

  /** @returns false where no such player or faction exists */
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
    /** The first holder of the position in the faction; null where nobody has it. */
    holder: (faction: Faction, position: string) =>
      factions.roster(faction).find((index) => factions.positionOf(index) === position) ?? null,
    playerAt: at,
    idAt: players.idAt,
    traits: players.traits,
    sessionsOn: condition.sessionsOn,
    /** Index of the faction that the player was in at a moment, or null. */
    factionIndexAt,
    /** Whether the player's position at a moment was that of a recruit. */
    recruitAt: (index: number, ms: number): boolean => {
      const first = transfers.get(index)?.[0];
      const position =
        first && ms < first.from ? factions.drawnPosition(index) : factions.positionOf(index);
      return position === "Recruit";
    },
    /** The state that a control verb had set at a second and that kept the player from attacking, or null. */
    setStateAt: (index: number, second: number): StatusState | null => {
      const set = setStatuses.get(index)?.findLast(({ from }) => from <= second * 1000)?.status;
      if (!set || set.state === "Okay" || (set.until && set.until.getTime() <= second * 1000))
        return null;
      return set.state;
    },
    /** Grows with every change that a control verb makes to a player. */
    version: () => version,
    /** All players that a control verb ever moved to another faction or out of one. */
    movedPlayers: () => transfers.keys(),
    drawnFaction: factions.drawnFaction,
    /** The players that the draws put into the faction, in their order, whatever changed since. */
    firstMembers: factions.firstRoster,
    drawnPosition: factions.drawnPosition,
    /** What the draws say of a player who never was changed. */
    drawnStatus: condition.status,
    drawnPlayer: players.at,
    /** Takes a player out of whatever organized crime they are in. Gives how often that has happened to them. */
    depart,
    /** The player's first departure at or after `ms`, past the first `skip`, in Unix milliseconds; Infinity where there is none. */
    departureAfter: (index: number, ms: number, skip: number) =>
      departures.get(index)?.find((departure, place) => place >= skip && departure >= ms) ??
      Number.POSITIVE_INFINITY,
    lastAction: (of: Player, now: Date) =>
      changes.get(of.index)?.lastAction ?? condition.lastAction(of, now),
    /** Whether the player's position lets a key of theirs read private faction data. */
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
