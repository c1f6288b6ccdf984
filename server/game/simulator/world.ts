import { createCondition, type Status, type StatusState, statusOf } from "./condition";
import { createDraw } from "./draw";
import { createFactions, type Faction } from "./factions";
import { home } from "./names";
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
}

export type World = ReturnType<typeof createWorld>;

/** The state of the simulated game: what the draws say, and on top of it what control verbs changed. */
export function createWorld(options: WorldOptions) {
  const { seed, epoch } = options;
  const players = createPlayers({ seed, epoch, count: options.players });
  const factions = createFactions({ seed, epoch, players: options.players, factions: options.factions });
  const condition = createCondition(seed);
  const joinDraw = createDraw(seed, "joined");
  const changes = new Map<number, PlayerChange & { joined?: Date }>();
  const changedChats = new Map<bigint, number>();

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
    const age = (epoch.getTime() - of.signedUp.getTime()) / 86_400_000;
    const days = joinDraw.unit(of.index) * Math.min(age, 1_500);
    const since = changes.get(of.index)?.joined ?? new Date(epoch.getTime() - days * 86_400_000);
    return { faction, position: factions.positionOf(of.index), since };
  }

  function status(of: Player, now: Date): Status {
    const set = changes.get(of.index)?.status;
    const over = set?.until && set.until.getTime() <= now.getTime();
    if (!set || over) return condition.status(of, now);
    return statusOf(set.state, { until: set.until ?? null, place: set.place ?? home, now });
  }

  /** @returns false where no such player or faction exists */
  function change(id: number, wish: PlayerChange, now: Date): boolean {
    const index = players.indexOf(id);
    if (index === null) return false;
    if (typeof wish.factionId === "number" && !factions.find(wish.factionId)) return false;
    const before = changes.get(index) ?? {};
    const moves = wish.factionId !== undefined && wish.factionId !== (factions.ofPlayer(index)?.id ?? null);
    changes.set(index, { ...before, ...wish, ...(moves ? { joined: now } : {}) });
    if (wish.chatId) changedChats.set(wish.chatId, index);
    if (moves) factions.move(index, wish.factionId ?? null);
    if (wish.position !== undefined) factions.setPosition(index, wish.position);
    return true;
  }

  return {
    player,
    playerOfChat,
    membership,
    status,
    change,
    faction: factions.find,
    members: (faction: Faction) => factions.roster(faction).map(at),
    /** Of whoever holds the position in the faction, the first; null where nobody does. */
    holder: (faction: Faction, position: string) =>
      factions.roster(faction).find((index) => factions.positionOf(index) === position) ?? null,
    playerAt: at,
    lastAction: (of: Player, now: Date) => changes.get(of.index)?.lastAction ?? condition.lastAction(of, now),
    /** Whether the player's position lets a key of theirs read private faction data. */
    hasFactionAccess: (of: Player) => {
      const place = membership(of);
      return place !== null && grants(place.faction.positions, place.position, "Faction API Access");
    },
    setPositions: factions.setPositions,
    counts: { players: options.players, factions: options.factions },
  };
}
