import { demoPeople } from "./demo-people";
import { createDraw } from "./draw";
import type { World } from "./world";

/** How far a key reads: 0 custom, 1 public, 2 minimal, 3 limited, 4 full. */
export type KeyLevel = 0 | 1 | 2 | 3 | 4;

export const keyTypes = ["Custom", "Public Only", "Minimal Access", "Limited Access", "Full Access"] as const;

/** One line of what the owner sees about the uses of a key. */
export interface KeyUse {
  readonly timestamp: number;
  readonly type: string;
  readonly selections: string;
  readonly id: number | null;
  readonly comment: string | null;
  readonly ip: string;
}

export interface Key {
  readonly key: string;
  readonly playerId: number;
  readonly level: KeyLevel;
  /** Of a custom key alone: what it may read, by section. */
  readonly selections: Readonly<Record<string, readonly string[]>>;
  paused: boolean;
  /** Newest last, at most 250. */
  readonly uses: KeyUse[];
}

const keptUses = 250;
const shareOfHolders = 0.05;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** All keys of the simulated game: those of the demo people, and those of a twentieth of all other players. */
export function createKeys(seed: number, world: World) {
  const draw = createDraw(seed, "keys");
  const keys = new Map<string, Key>();
  let created = 0;

  const text = (entity: number, n: number) =>
    Array.from({ length: 16 }, (_, place) => alphabet[draw.bits(entity, n + place) % alphabet.length]).join("");

  function add(key: Pick<Key, "key" | "playerId" | "level"> & Partial<Key>): string {
    keys.set(key.key, { selections: {}, paused: false, uses: [], ...key });
    return key.key;
  }

  for (const person of demoPeople) add({ key: person.key, playerId: person.playerId, level: 3 });
  for (let index = demoPeople.length; index < world.counts.players; index++) {
    if (draw.unit(index) >= shareOfHolders) continue;
    const roll = draw.unit(index, 1);
    const level = roll < 0.7 ? 3 : roll < 0.85 ? 4 : roll < 0.95 ? 2 : 1;
    add({ key: text(index, 100), playerId: world.playerAt(index).id, level });
  }

  return {
    find: (key: string) => keys.get(key) ?? null,
    /** Makes a key, drawn where none is named. The player must exist. */
    create: (wish: { playerId: number; level?: KeyLevel; key?: string; selections?: Key["selections"] }) => {
      created += 1;
      const { playerId, level = 3, key = text(playerId, 1_000 + 16 * created), selections = {} } = wish;
      return add({ key, playerId, level, selections });
    },
    remove: (key: string) => keys.delete(key),
    logUse: (key: Key, use: KeyUse) => {
      key.uses.push(use);
      if (key.uses.length > keptUses) key.uses.shift();
    },
    count: () => keys.size,
  };
}
export type Keys = ReturnType<typeof createKeys>;
