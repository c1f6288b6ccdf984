import { ChainListRequest } from "#server/stats/contract";

const numbers = ["minimum_difficulty", "maximum_difficulty", "minimum_level", "maximum_level", "limit"] as const;
const flags = ["is_factionless", "is_inactive"] as const;

export type TypedTargets = Readonly<
  Partial<Record<(typeof numbers)[number] | (typeof flags)[number] | "sort_order", string>>
>;
export const targetFields = [...numbers, ...flags, "sort_order"] as const;

/** What an address asks for, in the words of the API's body. @returns the fields that are wrong, where any is */
export function readFilter(typed: TypedTargets) {
  const asked = ChainListRequest.safeParse({
    ...Object.fromEntries(numbers.flatMap((name) => (typed[name] === undefined ? [] : [[name, Number(typed[name])]]))),
    ...Object.fromEntries(flags.map((name) => [name, typed[name] === "true"])),
    ...(typed.sort_order === undefined ? {} : { sort_order: typed.sort_order }),
  });
  return asked.success
    ? { filter: asked.data }
    : { wrong: [...new Set(asked.error.issues.map(({ path }) => String(path[0])))] };
}
