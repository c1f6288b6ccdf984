/** Roles of every faction that the game does not list. */
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
export type Ability = (typeof abilities)[number];

export const firstPositions: readonly Position[] = [
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
export function grants(positions: readonly Position[], name: string, ability: Ability): boolean {
  if (name === "Leader" || name === "Co-leader") return true;
  return positions.find((position) => position.name === name)?.abilities.includes(ability) ?? false;
}
