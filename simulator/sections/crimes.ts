import { toUnixSeconds } from "#server/platform/time";
import { slotsOf, tools } from "#simulator/crime-types";
import type { Crime, CrimeStatus } from "#simulator/crimes";
import { createRandom } from "#simulator/draw";
import type { Faction } from "#simulator/factions";
import { pageByOffset, timeRange, wholeNumber } from "#simulator/paging";
import type { CallContext, Selection } from "./section";

interface Category {
  /** Undefined: all. */
  readonly statuses?: readonly CrimeStatus[];
  /** Sorts the category; `from` and `to` bound it. */
  readonly time: "createdAt" | "readyAt" | "expiresAt" | "executedAt";
}

const categories: Readonly<Record<string, Category>> = {
  all: { time: "createdAt" },
  available: { statuses: ["Recruiting", "Planning"], time: "createdAt" },
  recruiting: { statuses: ["Recruiting"], time: "expiresAt" },
  planning: { statuses: ["Planning"], time: "readyAt" },
  completed: { statuses: ["Successful", "Failure"], time: "executedAt" },
  successful: { statuses: ["Successful"], time: "executedAt" },
  failure: { statuses: ["Failure"], time: "executedAt" },
  expired: { statuses: ["Expired"], time: "expiresAt" },
};

const usualRows = 20;

const categoryOf = (url: URL) => url.searchParams.get("cat") ?? "all";

function matching(crimes: readonly Crime[], { url, now, behaviour }: CallContext): Crime[] {
  const { statuses, time } = categories[categoryOf(url)] ?? { time: "createdAt" };
  const { from, sort } = timeRange(url, now, behaviour.now().fromIncluded);
  const to = wholeNumber(url, "to") ?? Number.POSITIVE_INFINITY;
  const bounded = url.searchParams.has("from") || url.searchParams.has("to");
  const within = (at: number | null) => at !== null && at >= from && at <= to;
  const direction = sort === "ASC" ? 1 : -1;
  return crimes
    .filter((crime) => statuses?.includes(crime.status) ?? true)
    .filter((crime) => !bounded || within(crime[time]))
    .sort((one, other) => direction * ((one[time] ?? 0) - (other[time] ?? 0) || one.id - other.id));
}

/** `faction/crimes`: the key owner's faction, newest first unless `sort=ASC`, 20 by default. */
export const factionCrimes: Selection<Faction> = {
  level: 2,
  own: true,
  factionAccess: true,
  refuses: (faction, { crimes, url }) => {
    if (crimes.old(faction) === "code") return 27;
    return Object.hasOwn(categories, categoryOf(url)) ? null : 21;
  },
  answer: (faction, ask) => {
    const { crimes, url, now } = ask;
    if (crimes.old(faction) === "map")
      return {
        crimes: { 8: { crime_id: 8, crime_name: "Borrowed Bicycles", initiated: 1, success: 0 } },
      };
    // Open crimes are known without a scan of the past.
    const open = categoryOf(url) === "available";
    const page = pageByOffset(
      url,
      matching(open ? crimes.current(faction, now) : crimes.list(faction, now), ask),
      usualRows,
    );
    return { crimes: page.rows.map((crime) => crimeRow(crime, ask)), _metadata: page._metadata };
  },
};

const shareMissingTools = 0.08;
const toolDraw = createRandom(0, "crime-tools");

/** Empty slots show the reader's own pass rates. */
function crimeRow(crime: Crime, ask: CallContext) {
  const { crimes, owner, behaviour } = ask;
  const { id, type, status } = crime;
  const slots = slotsOf(type.roles, behaviour.now().slotNumbers).map(({ role, info }, slot) => {
    const tool = tools[role];
    const user = slotUser(crime, slot, ask);
    const rated = crime.slots[slot]?.index ?? owner.index;
    const available = user !== null && toolDraw.unit(id, slot) >= shareMissingTools;
    return {
      position: role,
      position_info: info,
      item_requirement: tool
        ? { id: tool.itemId, is_reusable: tool.reusable, is_available: available }
        : null,
      user,
      checkpoint_pass_rate:
        status === "Expired" ? 0 : crimes.passRate(rated, role, type.difficulty),
    };
  });
  const money = type.difficulty * type.roles.length * 750_000;
  const rewards = { money, items: [], respect: type.difficulty * 3, scope: 1, payout: null };
  return {
    id,
    previous_crime_id: null,
    name: type.name,
    difficulty: type.difficulty,
    status,
    created_at: crime.createdAt,
    planning_at: crime.planningAt,
    ready_at: crime.readyAt,
    expired_at: crime.expiresAt,
    executed_at: crime.executedAt,
    slots,
    rewards: status === "Successful" ? rewards : null,
  };
}

/** `progress` is in percent, and `outcome` is set after the end. */
function slotUser(crime: Crime, slot: number, { world, now }: CallContext) {
  const { index, joinedAt } = crime.slots[slot] ?? { index: null, joinedAt: 0 };
  if (index === null) return null;
  const present = crime.executedAt ?? toUnixSeconds(now);
  const done = (present - joinedAt) / Math.max(1, (crime.readyAt ?? present) - joinedAt);
  const outcome = { Successful: "Successful", Failure: "Failed" }[crime.status as string] ?? null;
  return {
    id: world.idAt(index),
    joined_at: joinedAt,
    progress: Math.round(Math.min(1, Math.max(0, done)) * 10_000) / 100,
    outcome,
    item_outcome: null,
  };
}
