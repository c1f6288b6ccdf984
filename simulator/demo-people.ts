/** A demo player for sign-in. Their keys open nothing but the simulated game. */
export interface DemoPerson {
  readonly playerId: number;
  readonly name: string;
  readonly role: "developer" | "banker" | "member" | "outsider" | "loner";
  readonly key: string;
  /** Shown on the sign-in page and in the start-up text. */
  readonly words: string;
}

/** The first factions of every world, by index. */
export const demoFactions = [
  { factionId: 7001, name: "Lanternwatch", tag: "LNTN" },
  { factionId: 7002, name: "Copper Tide", tag: "CUTD" },
] as const;

/** The first players of every world, by index. */
export const demoPeople: readonly DemoPerson[] = [
  {
    playerId: 1001,
    name: "Ada_Quill",
    role: "developer",
    key: "DemoDeveloper001",
    words: "Officer of Lanternwatch who writes its tools; the key reads faction data",
  },
  {
    playerId: 1002,
    name: "Bruno_Vault",
    role: "banker",
    key: "DemoBanker000001",
    words: "Banker of Lanternwatch; hands out money and points from its vault",
  },
  {
    playerId: 1003,
    name: "Cleo_Marsh",
    role: "member",
    key: "DemoMember000001",
    words: "Plain member of Lanternwatch",
  },
  {
    playerId: 1004,
    name: "Dex_Harrow",
    role: "outsider",
    key: "DemoOutsider0001",
    words: "Member of another faction, Copper Tide",
  },
  {
    playerId: 1005,
    name: "Edda_Drift",
    role: "loner",
    key: "DemoLoner0000001",
    words: "Player without a faction",
  },
];

export function demoPersonOf(role: DemoPerson["role"]): DemoPerson {
  const person = demoPeople.find((each) => each.role === role);
  if (!person) throw new Error(`No demo person is a ${role}.`);
  return person;
}

/** Index of each role's demo faction, and the position held there. */
export const demoMemberships: Readonly<
  Record<DemoPerson["role"], { readonly faction: number; readonly position: string } | null>
> = {
  developer: { faction: 0, position: "Officer" },
  banker: { faction: 0, position: "Banker" },
  member: { faction: 0, position: "Member" },
  outsider: { faction: 1, position: "Member" },
  loner: null,
};
