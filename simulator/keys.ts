import { demoPeople } from "./demo-people";
import { createRandom } from "./draw";
import type { World } from "./world";

export type KeyLevel = 0 | 1 | 2 | 3 | 4;

export const keyTypes = [
  "Custom",
  "Public Only",
  "Minimal Access",
  "Limited Access",
  "Full Access",
] as const;

export interface Key {
  readonly key: string;
  readonly playerId: number;
  readonly level: KeyLevel;
  /** For a custom key only: its selections, by section. */
  readonly selections: Readonly<Record<string, readonly string[]>>;
  paused: boolean;
}

const shareOfHolders = 0.05;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function createKeys({ seed, world }: { seed: number; world: World }) {
  const draw = createRandom(seed, "keys");
  const keys = new Map<string, Key>();
  let created = 0;

  const text = (entity: number, n: number) =>
    Array.from(
      { length: 16 },
      (_, place) => alphabet[draw.bits(entity, n + place) % alphabet.length],
    ).join("");

  function add(key: Pick<Key, "key" | "playerId" | "level"> & Partial<Key>): string {
    keys.set(key.key, { selections: {}, paused: false, ...key });
    return key.key;
  }

  for (const person of demoPeople) add({ key: person.key, playerId: person.playerId, level: 3 });
  for (let index = demoPeople.length; index < world.counts.players; index++) {
    if (draw.unit(index) >= shareOfHolders) continue;
    const roll = draw.unit(index, 1);
    const level = roll < 0.7 ? 3 : roll < 0.85 ? 4 : roll < 0.95 ? 2 : 1;
    add({ key: text(index, 100), playerId: world.idAt(index), level });
  }

  return {
    find: (key: string) => keys.get(key) ?? null,
    /** Draws the key if none is given. The player must exist. */
    create: (requested: {
      playerId: number;
      level?: KeyLevel;
      key?: string;
      selections?: Key["selections"];
    }) => {
      created += 1;
      const {
        playerId,
        level = 3,
        key = text(playerId, 1_000 + 16 * created),
        selections = {},
      } = requested;
      return add({ key, playerId, level, selections });
    },
    remove: (key: string) => keys.delete(key),
    all: (): readonly Key[] => [...keys.values()],
    count: () => keys.size,
  };
}
export type Keys = ReturnType<typeof createKeys>;
