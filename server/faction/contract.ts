import { z } from "zod";
import type { organizedCrimeDelays } from "#db/schema/faction";
import { toUnixSeconds } from "#server/platform/time";
import {
  FactionId,
  isCursor,
  PlayerId,
  queryInteger,
  queryIntegerOrCursor,
  UnixSeconds,
} from "#server/rest/shapes";
import type { Hit } from "./attacks/store";

const PlayerReference = z
  .object({ ID: PlayerId, name: z.string().meta({ examples: ["Cleo_Marsh"] }) })
  .meta({ id: "PlayerReference" });

export const Retaliation = z
  .object({
    code: z.string().meta({
      description: "The game's code of the attack.",
      examples: ["3f9d0c4b7a5e4d1f8b6c2a1e0d9f8c7b"],
    }),
    attack_ended: UnixSeconds.meta({
      description: "When the attack ended. The retaliation is open for five minutes.",
    }),
    defender: PlayerReference.meta({ description: "The member who was hit." }),
    attacker: PlayerReference.meta({
      description: "Who struck.",
      examples: [{ ID: 2_400_007, name: "Dane_Cutter" }],
    }),
  })
  .meta({ id: "Retaliation" });

export const retaliationRecord = (hit: Hit): z.output<typeof Retaliation> => ({
  code: hit.code,
  attack_ended: toUnixSeconds(hit.attackEnded),
  defender: { ID: hit.defenderId, name: hit.defenderName },
  attacker: { ID: hit.attackerId, name: hit.attackerName },
});

const largestCrimeId = 2 ** 31 - 1;
const mostDelays = 100;

export const CrimeDelay = z
  .object({
    oc_id: z.int().meta({ description: "Id of the organized crime.", examples: [1_402_311] }),
    user_id: PlayerId,
    oc_position: z.string().meta({ description: "The role in the crime.", examples: ["Lookout"] }),
    oc_position_index: z.int().meta({
      description: "Which of the crime's slots of that role, counted from 1.",
      examples: [1],
    }),
    delay_reason: z.string().meta({
      description: "Where the member first was when the crime was ready, as of `seen_at`.",
      examples: ["In hospital for 12 mins"],
    }),
    seen_at: UnixSeconds.meta({ description: "When the member was seen there." }),
  })
  .meta({ id: "CrimeDelay" });

export const delayRecord = (
  delay: Omit<typeof organizedCrimeDelays.$inferSelect, "slot" | "factionId">,
): z.output<typeof CrimeDelay> => ({
  oc_id: delay.crimeId,
  user_id: delay.playerId,
  oc_position: delay.position,
  oc_position_index: delay.positionIndex,
  delay_reason: delay.reason,
  seen_at: toUnixSeconds(delay.seenAt),
});

const mostSkipped = 1_000;
const crimeId = (what: string) =>
  queryIntegerOrCursor({
    min: 1,
    max: largestCrimeId,
    most: { place: largestCrimeId, row: mostSkipped },
  })
    .optional()
    .describe(what);

export const DelayQuery = z.object({
  before: crimeId("The lowest id of a crime to return."),
  after: crimeId(
    "The highest id of a crime to return. To turn pages follow the `Link` header, or give what its address has as `after` " +
      "here or as `before`: by ids alone one gets stuck where a crime has more delays than a page holds.",
  ),
  min_id: crimeId("Another name of `before`."),
  max_id: crimeId("Another name of `after`."),
  limit: queryInteger({ min: 1, max: mostDelays })
    .optional()
    .describe("The most delays to return; 100 by default."),
  skip: queryInteger({ min: 0, max: mostSkipped })
    .optional()
    .describe("How many delays to leave out, counted from the newest."),
});

export const DelayRequestBody = z
  .object({
    limit: z.int().min(1).max(mostDelays).optional().describe("As in the query, which wins."),
  })
  .optional();

export function delayRangeOf(
  query: z.output<typeof DelayQuery>,
  body: z.output<typeof DelayRequestBody>,
) {
  const { before, after, min_id, max_id } = query;
  const cursor = [after, max_id, before, min_id].find(isCursor);
  return {
    lowest: [before, min_id].find(isNumber) ?? 1,
    highest: cursor?.place ?? [after, max_id].find(isNumber) ?? largestCrimeId,
    limit: query.limit ?? body?.limit ?? mostDelays,
    skip: cursor?.row ?? query.skip ?? 0,
  };
}

const isNumber = (value: unknown): value is number => typeof value === "number";

/** The game spells "Organised" with an s. */
export const abilityByFlag = {
  use_medical_item: "Medical Usage",
  use_booster_item: "Booster Usage",
  use_drug_item: "Drug Usage",
  use_energy_refill: "Energy Refill Usage",
  use_nerve_refill: "Nerve Refill Usage",
  loan_temporary_item: "Temporary Loaning",
  loan_weapon_armory: "Weapon & Armor Loaning",
  retrieve_loaned_armory: "Item Retrieving",
  plan_init_oc: "Organised Crimes",
  access_fac_api: "Faction API Access",
  give_item: "Item Giving",
  give_money: "Money Giving",
  give_points: "Points Giving",
  manage_forums: "Forum Management",
  manage_applications: "Application Management",
  kick_members: "Kick Members",
  adjust_balances: "Balance Adjustment",
  manage_wars: "War Management",
  manage_upgrades: "Upgrade Management",
  send_newsletters: "Newsletter Sending",
  change_announcement: "Announcement Changes",
  change_description: "Description Changes",
} as const;

export const everyAbility: readonly string[] = Object.values(abilityByFlag);

export const factionApiAbility = abilityByFlag.access_fac_api;

type Flag = keyof typeof abilityByFlag;
const flagNames = Object.keys(abilityByFlag) as Flag[];

const flags = Object.fromEntries(
  flagNames.map((flag) => [
    flag,
    z
      .boolean()
      .meta({ description: `The game's ability "${abilityByFlag[flag]}".`, examples: [true] }),
  ]),
) as Record<Flag, z.ZodBoolean>;

export const FactionPosition = z
  .object({
    _id: z.uuid().meta({ examples: ["0b0c5a0e-3c1f-4d3e-9c55-0d6f8a4f6c11"] }),
    name: z.string().meta({ examples: ["Banker"] }),
    faction_tid: FactionId,
    default: z.boolean().meta({ description: "Whether the game made it.", examples: [false] }),
    ...flags,
  })
  .meta({ id: "FactionPosition" });

export function positionRecord(
  factionId: number,
  position: { id: string; name: string; isDefault: boolean; abilities: readonly string[] },
) {
  const granted = flagNames.map((flag) => [flag, position.abilities.includes(abilityByFlag[flag])]);
  return {
    _id: position.id,
    name: position.name,
    faction_tid: factionId,
    default: position.isDefault,
    ...(Object.fromEntries(granted) as Record<Flag, boolean>),
  };
}
