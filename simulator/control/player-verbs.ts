import { z } from "zod";
import { abilities, unlistedPositions } from "#simulator/factions";
import { instant } from "#simulator/faults";
import { scoreOf } from "#simulator/people/battle-stats";
import { type ControlParts, id, mustExist, verb } from "./verb";

const state = z.enum(["Okay", "Hospital", "Jail", "Traveling", "Abroad", "Federal", "Fallen"]);
/** A chat id exceeds the exact integers of JSON, so over HTTP it is text. */
const chatId = z.union([
  z.bigint(),
  z
    .string()
    .regex(/^[0-9]{1,19}$/)
    .transform(BigInt),
]);

const SetPlayer = z.strictObject({
  playerId: id,
  name: z.string().min(1).max(15).optional(),
  level: z.int().min(1).max(100).optional(),
  chatId: chatId.nullable().optional(),
  factionId: id.nullable().optional(),
  position: z.string().optional(),
  status: z
    .strictObject({ state, until: instant.nullable().optional(), place: z.string().optional() })
    .nullable()
    .optional(),
  lastAction: instant.nullable().optional(),
});
const SetPositions = z.strictObject({
  factionId: id,
  positions: z
    .array(
      z.strictObject({
        name: z
          .string()
          .refine(
            (name) => !unlistedPositions.includes(name),
            "This position is not listed by the game.",
          ),
        isDefault: z.boolean(),
        abilities: z.array(z.enum(abilities)),
      }),
    )
    .refine(
      (list) => new Set(list.map(({ name }) => name)).size === list.length,
      "Names are unique in a faction.",
    ),
});

export function playerVerbs({ world, now }: ControlParts) {
  return {
    setPlayer: verb(SetPlayer, ({ playerId, ...change }) => {
      mustExist(world.change(playerId, change, now()), "The player or faction");
    }),
    setPositions: verb(SetPositions, ({ factionId, positions }) => {
      world.setPositions(mustExist(world.faction(factionId), "The faction"), positions);
    }),
  };
}

const keyText = z.string().regex(/^[A-Za-z0-9]{16}$/);

const CreateKey = z.strictObject({
  playerId: id,
  level: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]).optional(),
  key: keyText.optional(),
  selections: z.record(z.string(), z.array(z.string())).optional(),
});
const PauseKey = z.strictObject({ key: keyText, paused: z.boolean().default(true) });
const DeleteKey = z.strictObject({ key: keyText });

export interface KeyHolder {
  readonly key: string;
  readonly playerId: number;
  readonly factionId: number | null;
  readonly readsFaction: boolean;
}

/** From this level a key reads the owner's battle stats and fights. */
const limited = 3;

export function keyVerbs({ world, keys }: ControlParts) {
  return {
    /** All players with a working key of limited access or more, by id. */
    keyHolders: (): KeyHolder[] =>
      keys.all().flatMap((key) => {
        const player = world.player(key.playerId);
        if (!player || key.level < limited || key.paused) return [];
        if (player.silentSince || player.fate !== "free") return [];
        const factionId = world.membership(player)?.faction.id ?? null;
        return [
          {
            key: key.key,
            playerId: player.id,
            factionId,
            readsFaction: world.hasFactionAccess(player),
          },
        ];
      }),
    createKey: verb(CreateKey, (requested) => {
      mustExist(world.player(requested.playerId), "The player");
      return { key: keys.create(requested) };
    }),
    pauseKey: verb(PauseKey, ({ key, paused }) => {
      mustExist(keys.find(key), "The key").paused = paused;
    }),
    deleteKey: verb(DeleteKey, ({ key }) => {
      mustExist(keys.remove(key), "The key");
    }),
  };
}

const stat = z.int().nonnegative();

const SetStats = z.strictObject({
  playerId: id,
  strength: stat,
  defense: stat,
  speed: stat,
  dexterity: stat,
});
const Oracle = z.strictObject({ playerId: id });

export function statVerbs({ world, people, vault, now }: ControlParts) {
  return {
    setStats: verb(SetStats, ({ playerId, ...stats }) => {
      people.setStats(mustExist(world.player(playerId), "The player").index, stats, now());
    }),
    playerIds: (): number[] =>
      Array.from({ length: world.counts.players }, (_, index) => world.playerAt(index).id),
    oracle: verb(Oracle, ({ playerId }) => {
      const player = mustExist(world.player(playerId), "The player");
      const stats = people.stats(player.index, now());
      const faction = world.membership(player)?.faction;
      const owned = (currency: "money" | "points") =>
        faction ? vault.balance(faction, player.index, currency) : 0;
      return { ...stats, score: scoreOf(stats), money: owned("money"), points: owned("points") };
    }),
  };
}
