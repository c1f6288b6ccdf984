import type { CrimeStatus } from "#simulator/crimes/crime-course";
import { crimeRow } from "#simulator/crimes/crime-row";
import type { Crime } from "#simulator/crimes/crimes";
import type { Faction } from "#simulator/factions";
import { pageByOffset, timeRange, wholeNumber } from "#simulator/paging";
import type { Ask, Selection } from "./section";

const all: readonly CrimeStatus[] = ["Recruiting", "Planning", "Successful", "Failure", "Expired"];

/** What `cat` may be, and the statuses that it means. */
const categories: Readonly<Record<string, readonly CrimeStatus[]>> = {
  all,
  recruiting: ["Recruiting"],
  planning: ["Planning"],
  successful: ["Successful"],
  failure: ["Failure"],
  expired: ["Expired"],
  available: ["Recruiting", "Planning"],
  completed: ["Successful", "Failure"],
};

type CrimeTime = (crime: Crime) => number | null;

/** Which of a crime's times `from` and `to` are about: `filters`. */
const times = {
  created_at: (crime) => crime.createdAt,
  ready_at: (crime) => crime.readyAt,
  expired_at: (crime) => crime.expiresAt,
  executed_at: (crime) => crime.executedAt,
} as const satisfies Readonly<Record<string, CrimeTime>>;

/** The time by which a category is sorted and bounded, where `filters` names no other. */
const timesOfCategories: Readonly<Record<string, keyof typeof times>> = {
  planning: "ready_at",
  recruiting: "expired_at",
  expired: "expired_at",
  successful: "executed_at",
  failure: "executed_at",
  completed: "executed_at",
};

const usualRows = 20;

const categoryOf = (url: URL) => (url.searchParams.get("cat") ?? "all").toLowerCase();
const timeOf = (url: URL) =>
  (url.searchParams.get("filters") ?? timesOfCategories[categoryOf(url)] ?? "created_at").toLowerCase();

/** The crimes that the URL asks for, in its order. */
function matching(crimes: Iterable<Crime>, { url, now, behaviour }: Pick<Ask, "url" | "now" | "behaviour">): Crime[] {
  const statuses = categories[categoryOf(url)] ?? all;
  const time: CrimeTime = times[timeOf(url) as keyof typeof times] ?? times.created_at;
  const { from, sort } = timeRange(url, now, behaviour.now().fromIncluded);
  const to = wholeNumber(url, "to") ?? Number.POSITIVE_INFINITY;
  const bounded = url.searchParams.has("from") || url.searchParams.has("to");
  const within = (at: number | null) => at !== null && at >= from && at <= to;
  const direction = sort === "ASC" ? 1 : -1;
  return [...crimes]
    .filter((crime) => statuses.includes(crime.status) && (!bounded || within(time(crime))))
    .sort((one, other) => direction * ((time(one) ?? 0) - (time(other) ?? 0) || one.id - other.id));
}

/** `faction/crimes`: the organized crimes of the key owner's faction, the latest first unless `sort=ASC`, 20 unless told. */
export const factionCrimes: Selection<Faction> = {
  level: 2,
  own: true,
  factionAccess: true,
  refuses: (faction, { crimes, url }) => {
    if (crimes.old(faction) === "code") return 27;
    return Object.hasOwn(categories, categoryOf(url)) && Object.hasOwn(times, timeOf(url)) ? null : 21;
  },
  answer: (faction, ask) => {
    const { world, crimes, url, now, owner } = ask;
    if (crimes.old(faction) === "map")
      return { crimes: { 8: { crime_id: 8, crime_name: "Borrowed Bicycles", initiated: 1, success: 0 } } };
    // All that still goes on is known without looking at what is over.
    const open = categoryOf(url) === "available";
    const page = pageByOffset(
      url,
      matching(open ? crimes.current(faction, now) : crimes.list(faction, now), ask),
      usualRows,
    );
    const numbered = ask.behaviour.now().slotNumbers;
    const rows = page.rows.map((crime) => crimeRow(crime, { world, crimes, now, reader: owner.index, numbered }));
    return { crimes: rows, _metadata: page._metadata };
  },
};
