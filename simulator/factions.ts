import { dayMs } from "#server/platform/time";
import { demoFactions, demoMemberships, demoPeople } from "./demo-people";
import { createRandom, shuffled } from "./draw";
import { factionName, factionTag } from "./names";

export interface Faction {
  readonly index: number;
  readonly id: number;
  readonly name: string;
  readonly tag: string;
  readonly founded: Date;
  readonly capacity: number;
  readonly respect: number;
  readonly bestChain: number;
  readonly positions: readonly Position[];
}

/** Every faction has these roles, but the game does not list them. */
export const unlistedPositions: readonly string[] = ["Leader", "Co-leader", "Recruit"];

export interface Position {
  readonly name: string;
  readonly isDefault: boolean;
  readonly abilities: readonly Ability[];
}

export const abilities = [
  "Medical Usage",
  "Booster Usage",
  "Drug Usage",
  "Energy Refill Usage",
  "Nerve Refill Usage",
  "Temporary Loaning",
  "Weapon & Armor Loaning",
  "Item Retrieving",
  "Organised Crimes",
  "Faction API Access",
  "Item Giving",
  "Money Giving",
  "Points Giving",
  "Forum Management",
  "Application Management",
  "Kick Members",
  "Balance Adjustment",
  "War Management",
  "Upgrade Management",
  "Newsletter Sending",
  "Announcement Changes",
  "Description Changes",
  "Utility Loaning",
  "Consumable Usage",
  "Medical Loaning",
  "Consumable Loaning",
  "Drug Loaning",
  "Booster Loaning",
] as const;
type Ability = (typeof abilities)[number];

const firstPositions: readonly Position[] = [
  {
    name: "Member",
    isDefault: true,
    abilities: ["Medical Usage", "Booster Usage", "Temporary Loaning"],
  },
  {
    name: "Banker",
    isDefault: false,
    abilities: [
      "Medical Usage",
      "Money Giving",
      "Points Giving",
      "Balance Adjustment",
      "Faction API Access",
    ],
  },
  {
    name: "Officer",
    isDefault: false,
    abilities: [
      "Medical Usage",
      "Utility Loaning",
      "Organised Crimes",
      "Faction API Access",
      "Application Management",
      "Kick Members",
    ],
  },
];

/** Leaders have every ability, recruits none. */
export function hasAbility(
  positions: readonly Position[],
  name: string,
  ability: Ability,
): boolean {
  if (name === "Leader" || name === "Co-leader") return true;
  return positions.find((position) => position.name === name)?.abilities.includes(ability) ?? false;
}

/** Members of a demo faction besides the demo people. */
const demoSizes = [24, 18];
const smallest = 5;
const largest = 98;

/** Zipf sizes, until three quarters of all players have a faction. */
function factionSizes(players: number, factions: number): number[] {
  const ranks = Math.max(0, factions - demoSizes.length);
  const target = players * 0.75 - demoSizes.reduce((sum, size) => sum + size, 0);
  const sizes = (scale: number) =>
    Array.from({ length: ranks }, (_, rank) =>
      Math.round(Math.min(largest, Math.max(smallest, scale / (rank + 1) ** 0.6))),
    );
  const sum = (list: number[]) => list.reduce((total, size) => total + size, 0);
  let [low, high] = [0, players];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (sum(sizes(middle)) < target) low = middle;
    else high = middle;
  }
  return [...demoSizes, ...sizes(low)];
}

export function createFactions(world: {
  seed: number;
  epoch: Date;
  players: number;
  factions: number;
}) {
  const draw = createRandom(world.seed, "factions");
  const positionDraw = createRandom(world.seed, "positions");
  const idAt = (index: number) =>
    demoFactions[index]?.factionId ?? 8_000 + 13 * index + (draw.bits(index) % 13);
  const changedPositions = new Map<number, readonly Position[]>();

  const rosters: number[][] = [];
  const factionOf = new Map<number, number>();
  const positions = new Map<number, string>();

  function firstPosition(index: number, rank: number): string {
    if (rank === 0) return "Leader";
    if (rank === 1) return "Co-leader";
    const roll = positionDraw.unit(index);
    return roll < 0.06 ? "Banker" : roll < 0.2 ? "Officer" : roll < 0.33 ? "Recruit" : "Member";
  }

  const join = (index: number, faction: number, position: string) => {
    factionOf.set(index, faction);
    positions.set(index, position);
    rosters[faction]?.push(index);
  };

  const order = shuffled(createRandom(world.seed, "joins"), world.players).filter(
    (index) => index >= demoPeople.length,
  );
  let dealt = 0;
  for (const [faction, size] of factionSizes(world.players, world.factions).entries()) {
    rosters.push([]);
    for (const [rank, index] of order.subarray(dealt, dealt + size).entries())
      join(index, faction, firstPosition(index, rank));
    dealt += size;
  }
  for (const [index, person] of demoPeople.entries()) {
    const place = demoMemberships[person.role];
    if (place) join(index, place.faction, place.position);
  }

  function at(index: number): Faction {
    const name = demoFactions[index]?.name ?? factionName(index);
    const ageDays = draw.between(index, 1, [100, 5_500]);
    return {
      index,
      id: idAt(index),
      name,
      tag: demoFactions[index]?.tag ?? factionTag(name),
      founded: new Date(world.epoch.getTime() - ageDays * dayMs),
      capacity: 100,
      respect: draw.between(index, 2, [2_000, 9_000_000]),
      bestChain: draw.between(index, 3, [10, 25_000]),
      positions: changedPositions.get(index) ?? firstPositions,
    };
  }

  function find(id: number): Faction | null {
    const demo = demoFactions.findIndex((faction) => faction.factionId === id);
    const index = demo >= 0 ? demo : Math.floor((id - 8_000) / 13);
    return index >= 0 && index < rosters.length && idAt(index) === id ? at(index) : null;
  }

  const firstRosters = rosters.map((roster) => [...roster]);
  const drawnPositions = new Map(positions);
  const drawnFactions = new Map(factionOf);

  return {
    find,
    at,
    /** Members before any move. */
    firstRoster: (faction: number): readonly number[] => firstRosters[faction] ?? [],
    drawnFaction: (index: number) => drawnFactions.get(index) ?? null,
    drawnPosition: (index: number) => drawnPositions.get(index) ?? null,
    roster: (faction: Faction): readonly number[] => rosters[faction.index] ?? [],
    ofPlayer: (index: number): Faction | null => {
      const faction = factionOf.get(index);
      return faction === undefined ? null : at(faction);
    },
    positionOf: (index: number) => positions.get(index) ?? "Recruit",
    setPosition: (index: number, position: string) => positions.set(index, position),
    setPositions: (faction: Faction, list: readonly Position[]) =>
      changedPositions.set(faction.index, list),
    /** Newcomers start as recruits; with null the player leaves. The faction must exist. */
    move: (index: number, factionId: number | null) => {
      const left = rosters[factionOf.get(index) ?? -1];
      left?.splice(left.indexOf(index), 1);
      factionOf.delete(index);
      positions.delete(index);
      const goal = factionId === null ? null : find(factionId);
      if (goal) join(index, goal.index, "Recruit");
    },
  };
}
