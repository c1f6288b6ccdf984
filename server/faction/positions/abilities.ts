/** What a position may allow, as the game words it, by the name of the API's flag. The game spells crimes with an s. */
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

/** Every ability that decides on something here. A leader has them all. */
export const everyAbility: readonly string[] = Object.values(abilityOfFlag);

/** Reads the faction's private data through the game's API. */
export const factionApiAbility = abilityOfFlag.access_fac_api;
