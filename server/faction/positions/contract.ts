import { z } from "zod";
import { FactionId } from "#server/rest/shapes";

/** The game's wording of abilities by our flag names. The game spells crimes with an s. */
export const abilityOfFlag = {
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

export const everyAbility: readonly string[] = Object.values(abilityOfFlag);

export const factionApiAbility = abilityOfFlag.access_fac_api;

type Flag = keyof typeof abilityOfFlag;
const flagNames = Object.keys(abilityOfFlag) as Flag[];

const flags = Object.fromEntries(
  flagNames.map((flag) => [
    flag,
    z
      .boolean()
      .meta({ description: `The game's ability "${abilityOfFlag[flag]}".`, examples: [true] }),
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
  const granted = flagNames.map((flag) => [flag, position.abilities.includes(abilityOfFlag[flag])]);
  return {
    _id: position.id,
    name: position.name,
    faction_tid: factionId,
    default: position.isDefault,
    ...(Object.fromEntries(granted) as Record<Flag, boolean>),
  };
}
