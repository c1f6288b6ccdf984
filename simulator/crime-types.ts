import { listedItems } from "./item-list";

export interface CrimeType {
  readonly name: string;
  readonly difficulty: number;
  readonly roles: readonly string[];
}

const listed: readonly (readonly [difficulty: number, name: string, roles: string])[] = [
  [1, "Borrowed Bicycles", "Lookout, Rider, Rider"],
  [1, "Lunch Money", "Talker, Picker, Lookout"],
  [1, "Paper Round", "Rider, Picker, Lookout"],
  [2, "Garden Gnomes", "Driver, Lifter, Lifter"],
  [2, "Night Bakery", "Lookout, Locksmith, Lifter"],
  [2, "Left Luggage", "Talker, Locksmith, Runner"],
  [3, "Ferry Fare", "Diver, Pilot, Lookout, Runner"],
  [3, "Second Hand", "Locksmith, Lookout, Runner"],
  [3, "Loud Neighbours", "Drummer, Digger, Digger, Driver"],
  [4, "Cold Storage", "Hacker, Driver, Lifter, Lookout"],
  [4, "The Understudy", "Actor, Talker, Locksmith"],
  [4, "Toll Road", "Driver, Muscle, Lookout, Runner"],
  [5, "Museum Piece", "Forger, Locksmith, Lookout, Driver"],
  [5, "Clean Sheets", "Talker, Lifter, Driver, Hacker"],
  [5, "Dead Letter", "Forger, Talker, Runner"],
  [6, "Harbour Lights", "Electrician, Pilot, Lifter, Muscle, Lookout"],
  [6, "Counting House", "Insider, Hacker, Driver, Muscle"],
  [6, "Weather Report", "Actor, Hacker, Pilot, Lookout"],
  [7, "Broken Compass", "Hacker, Driver, Muscle, Muscle, Lookout"],
  [7, "Opera Glasses", "Actor, Picker, Picker, Lookout, Driver"],
  [8, "Silver Nitrate", "Chemist, Locksmith, Driver, Muscle, Lookout"],
  [8, "Sealed Orders", "Forger, Insider, Runner, Hacker"],
  [8, "The Long Tunnel", "Digger, Digger, Engineer, Electrician, Muscle, Driver"],
  [9, "Ninth Floor", "Insider, Engineer, Hacker, Muscle, Locksmith, Pilot"],
  [9, "Glass Cathedral", "Engineer, Chemist, Actor, Locksmith, Pilot"],
  [10, "Quiet Coronation", "Forger, Actor, Insider, Hacker, Muscle, Pilot"],
];

export const crimeTypes: readonly CrimeType[] = listed.map(([difficulty, name, roles]) => ({
  difficulty,
  name,
  roles: roles.split(", "),
}));

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

/** Labels of equal roles have a number. @param numbered true adds the number as a field */
export const slotsOf = (roles: readonly string[], numbered: boolean) =>
  roles.map((role, index) => {
    const number = roles.slice(0, index + 1).filter((other) => other === role).length;
    const label = roles.indexOf(role) === roles.lastIndexOf(role) ? role : `${role} #${number}`;
    return { role, info: { id: `P${index + 1}`, label, ...(numbered && { number }) } };
  });
