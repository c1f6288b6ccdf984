import type { CrimeStatus } from "../crimes/crime-course";
import { crimeRow } from "../crimes/crime-row";
import type { Crime } from "../crimes/crimes";
import type { Faction } from "../factions";
import { pageByOffset, timeRange, wholeNumber } from "../paging";
import type { Selection } from "./section";

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
  completed: ["Successful", "Failure", "Expired"],
};

/** Which of a crime's times `from` and `to` are about: `filters`. */
const times: Readonly<Record<string, (crime: Crime) => number | null>> = {
  created_at: (crime) => crime.createdAt,
  planning_at: (crime) => crime.planningAt,
  ready_at: (crime) => crime.readyAt,
  expired_at: (crime) => crime.expiresAt,
  executed_at: (crime) => crime.executedAt,
};

const categoryOf = (url: URL) => (url.searchParams.get("cat") ?? "all").toLowerCase();
const timeOf = (url: URL) => (url.searchParams.get("filters") ?? "created_at").toLowerCase();

function* matching(crimes: Iterable<Crime>, url: URL): Generator<Crime> {
  const statuses = categories[categoryOf(url)] ?? all;
  const time = times[timeOf(url)];
  const [from, to] = [wholeNumber(url, "from"), wholeNumber(url, "to")];
  const within = (at: number | null) => at !== null && at >= (from ?? 0) && at <= (to ?? Number.POSITIVE_INFINITY);
  for (const crime of crimes)
    if (statuses.includes(crime.status) && ((from === null && to === null) || within(time?.(crime) ?? null)))
      yield crime;
}

/** `faction/crimes`: the organized crimes of the key owner's faction, by id, newest first unless `sort=ASC`. */
export const factionCrimes: Selection<Faction> = {
  level: 2,
  own: true,
  factionAccess: true,
  refuses: (faction, { crimes, url }) => {
    if (crimes.old(faction) === "code") return 27;
    return Object.hasOwn(categories, categoryOf(url)) && Object.hasOwn(times, timeOf(url)) ? null : 21;
  },
  answer: (faction, { world, crimes, url, now, owner }) => {
    if (crimes.old(faction) === "map")
      return { crimes: { 8: { crime_id: 8, crime_name: "Borrowed Bicycles", initiated: 1, success: 0 } } };
    const { sort } = timeRange(url, now);
    const page = pageByOffset(url, matching(crimes.list(faction, now, sort), url));
    const rows = page.rows.map((crime) => crimeRow(crime, { world, crimes, now, reader: owner.index }));
    return { crimes: rows, _metadata: page._metadata };
  },
};
