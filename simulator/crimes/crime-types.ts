import { listedItems } from "../item-list";

export interface CrimeType {
  readonly name: string;
  readonly difficulty: number;
  readonly description: string;
  readonly roles: readonly string[];
}

const type = (
  difficulty: number,
  name: string,
  description: string,
  ...roles: string[]
): CrimeType => ({
  name,
  difficulty,
  description,
  roles,
});

export const crimeTypes: readonly CrimeType[] = [
  type(
    1,
    "Borrowed Bicycles",
    "A courier depot leaves its gate open at noon.",
    "Lookout",
    "Rider",
    "Rider",
  ),
  type(1, "Lunch Money", "The canteen till of a shipyard.", "Talker", "Picker", "Lookout"),
  type(
    1,
    "Paper Round",
    "Somebody else's newspapers, somebody else's coins.",
    "Rider",
    "Picker",
    "Lookout",
  ),
  type(2, "Garden Gnomes", "A collector pays well and asks nothing.", "Driver", "Lifter", "Lifter"),
  type(2, "Night Bakery", "The safe is behind the second oven.", "Lookout", "Locksmith", "Lifter"),
  type(2, "Left Luggage", "Locker 41 has three owners today.", "Talker", "Locksmith", "Runner"),
  type(
    3,
    "Ferry Fare",
    "The last boat carries the day's takings.",
    "Diver",
    "Pilot",
    "Lookout",
    "Runner",
  ),
  type(
    3,
    "Second Hand",
    "A watchmaker's window, and what stands behind it.",
    "Locksmith",
    "Lookout",
    "Runner",
  ),
  type(
    3,
    "Loud Neighbours",
    "A band rehearses while the wall comes down.",
    "Drummer",
    "Digger",
    "Digger",
    "Driver",
  ),
  type(
    4,
    "Cold Storage",
    "Frozen fish, and a frozen account.",
    "Hacker",
    "Driver",
    "Lifter",
    "Lookout",
  ),
  type(
    4,
    "The Understudy",
    "For one evening the wrong tenor sings.",
    "Actor",
    "Talker",
    "Locksmith",
  ),
  type(
    4,
    "Toll Road",
    "The booth takes cash, and so do we.",
    "Driver",
    "Muscle",
    "Lookout",
    "Runner",
  ),
  type(
    5,
    "Museum Piece",
    "The original has never left the cellar.",
    "Forger",
    "Locksmith",
    "Lookout",
    "Driver",
  ),
  type(
    5,
    "Clean Sheets",
    "A hotel laundry with a false bottom.",
    "Talker",
    "Lifter",
    "Driver",
    "Hacker",
  ),
  type(5, "Dead Letter", "Post for a man who never was.", "Forger", "Talker", "Runner"),
  type(
    6,
    "Harbour Lights",
    "Twelve minutes of darkness on pier nine.",
    "Electrician",
    "Pilot",
    "Lifter",
    "Muscle",
    "Lookout",
  ),
  type(
    6,
    "Counting House",
    "They count by hand, and one hand is ours.",
    "Insider",
    "Hacker",
    "Driver",
    "Muscle",
  ),
  type(
    6,
    "Weather Report",
    "A storm that only the radio knows.",
    "Actor",
    "Hacker",
    "Pilot",
    "Lookout",
  ),
  type(
    7,
    "Broken Compass",
    "A convoy follows the wrong star.",
    "Hacker",
    "Driver",
    "Muscle",
    "Muscle",
    "Lookout",
  ),
  type(
    7,
    "Opera Glasses",
    "Row one wears the diamonds.",
    "Actor",
    "Picker",
    "Picker",
    "Lookout",
    "Driver",
  ),
  type(
    8,
    "Silver Nitrate",
    "A film archive, highly flammable.",
    "Chemist",
    "Locksmith",
    "Driver",
    "Muscle",
    "Lookout",
  ),
  type(
    8,
    "Sealed Orders",
    "The envelope must arrive, changed.",
    "Forger",
    "Insider",
    "Runner",
    "Hacker",
  ),
  type(
    8,
    "The Long Tunnel",
    "Four hundred metres, by Sunday.",
    "Digger",
    "Digger",
    "Engineer",
    "Electrician",
    "Muscle",
    "Driver",
  ),
  type(
    9,
    "Ninth Floor",
    "There is no ninth button in the lift.",
    "Insider",
    "Engineer",
    "Hacker",
    "Muscle",
    "Locksmith",
    "Pilot",
  ),
  type(
    9,
    "Glass Cathedral",
    "A vault that everybody can see into.",
    "Engineer",
    "Chemist",
    "Actor",
    "Locksmith",
    "Pilot",
  ),
  type(
    10,
    "Quiet Coronation",
    "Nobody will ever know that it was copper.",
    "Forger",
    "Actor",
    "Insider",
    "Hacker",
    "Muscle",
    "Pilot",
  ),
];

function tool(name: string, reusable: boolean) {
  const item = listedItems.find((listed) => listed.name === name);
  if (!item) throw new Error(`No item is called ${name}.`);
  return { itemId: item.id, name, reusable };
}

/** Roles that are not listed need no tool. */
export const tools: Readonly<Record<string, ReturnType<typeof tool>>> = {
  Hacker: tool("Dial Ear", true),
  Locksmith: tool("Skeleton File", true),
  Forger: tool("Blank Passport", false),
  Chemist: tool("Carbide Lamp", false),
  Digger: tool("Rope Ladder", true),
  Electrician: tool("Signal Jammer", false),
};

/**
 * Slots in order: `P1` …. Equal roles are numbered, and the label has the number too.
 * @param numbered false leaves the number to the label
 */
export const slotsOf = (roles: readonly string[], numbered: boolean) =>
  roles.map((role, index) => {
    const number = roles.slice(0, index + 1).filter((other) => other === role).length;
    const label = roles.indexOf(role) === roles.lastIndexOf(role) ? role : `${role} #${number}`;
    return { role, info: { id: `P${index + 1}`, label, ...(numbered && { number }) } };
  });
