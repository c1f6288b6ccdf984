import { daySeconds } from "#server/platform/time";
import type { FourStats } from "./battle-stats";
import type { Counters } from "./counters";

const paths: Readonly<Record<string, string>> = {
  attackswon: "attacking.attacks.won",
  attackslost: "attacking.attacks.lost",
  attacksdraw: "attacking.attacks.stalemate",
  attacksassisted: "attacking.attacks.assist",
  attacksstealthed: "attacking.attacks.stealth",
  defendswon: "attacking.defends.won",
  defendslost: "attacking.defends.lost",
  defendsstalemated: "attacking.defends.stalemate",
  defends: "attacking.defends.total",
  elo: "attacking.elo",
  unarmoredwon: "attacking.unarmored_wins",
  highestbeaten: "attacking.highest_level_beaten",
  yourunaway: "attacking.escapes.player",
  theyrunaway: "attacking.escapes.foes",
  bestkillstreak: "attacking.killstreak.best",
  attackhits: "attacking.hits.success",
  attackmisses: "attacking.hits.miss",
  attackcriticalhits: "attacking.hits.critical",
  onehitkills: "attacking.hits.one_hit_kills",
  attackdamage: "attacking.damage.total",
  bestdamage: "attacking.damage.best",
  moneymugged: "attacking.networth.money_mugged",
  specialammoused: "attacking.ammunition.total",
  respectforfaction: "attacking.faction.respect",
  retals: "attacking.faction.retaliations",
  rankedwarhits: "attacking.faction.ranked_war_hits",
  raidhits: "attacking.faction.raid_hits",
  territoryjoins: "attacking.faction.territory.wall_joins",
  jobpointsused: "jobs.job_points_used",
  trainsreceived: "jobs.trains_received",
  bazaarsales: "trading.bazaar.sales",
  trades: "trading.trades",
  jailed: "jail.times_jailed",
  peoplebusted: "jail.busts.success",
  hospital: "hospital.times_hospitalized",
  medicalitemsused: "hospital.medical_items_used",
  revives: "hospital.reviving.revives",
  revivesreceived: "hospital.reviving.revives_received",
  mailssent: "communication.mails_sent.total",
  criminaloffenses: "crimes.offenses.total",
  bountiesplaced: "bounties.placed.amount",
  bountiescollected: "bounties.collected.amount",
  itemsdumped: "items.trashed",
  booksread: "items.used.books",
  boostersused: "items.used.boosters",
  candyused: "items.used.candy",
  alcoholused: "items.used.alcohol",
  energydrinkused: "items.used.energy_drinks",
  statenhancersused: "items.used.stat_enhancers",
  traveltimes: "travel.total",
  traveltime: "travel.time_spent",
  cantaken: "drugs.cannabis",
  exttaken: "drugs.ecstasy",
  lsdtaken: "drugs.lsd",
  victaken: "drugs.vicodin",
  xantaken: "drugs.xanax",
  drugsused: "drugs.total",
  overdosed: "drugs.overdoses",
  rehabs: "drugs.rehabilitations.amount",
  contractscompleted: "missions.contracts.total",
  racingpointsearned: "racing.points",
  networth: "networth.total",
  useractivity: "other.activity.time",
  bestactivestreak: "other.activity.streak.best",
  activestreak: "other.activity.streak.current",
  awards: "other.awards",
  refills: "other.refills.energy",
  nerverefills: "other.refills.nerve",
  donatordays: "other.donator_days",
};

/**
 * By the game's document `cat=popular` excludes `highest_level_beaten`, retaliations, raids and
 * others.
 */
const popular = new Set(
  [
    "attackswon attackslost attacksdraw attacksassisted defendswon defendslost defendsstalemated elo yourunaway theyrunaway",
    "bestkillstreak attackhits attackmisses attackcriticalhits onehitkills attackdamage bestdamage moneymugged",
    "specialammoused respectforfaction rankedwarhits jobpointsused trainsreceived medicalitemsused revives",
    "booksread boostersused candyused alcoholused energydrinkused statenhancersused traveltimes traveltime networth",
    "cantaken exttaken lsdtaken victaken xantaken drugsused overdosed rehabs",
    "useractivity bestactivestreak activestreak awards refills nerverefills donatordays",
  ].flatMap((names) => names.split(" ")),
);

const categories = new Set(Object.values(paths).map((path) => path.split(".")[0] ?? ""));
/** Readable by the key's owner only. */
const ownCategory = "battle_stats";
const mostStats = 10;

export type StatsQuery =
  | { readonly category: string }
  | { readonly stats: readonly string[]; readonly at: number | null };

/** @returns the game's error code for invalid parameters */
export function readStatsQuery(query: URLSearchParams): StatsQuery | number {
  const category = query.get("cat");
  const stats = query.get("stat");
  if ((category === null) === (stats === null)) return 26;
  if (category !== null)
    return category === "all" ||
      category === "popular" ||
      category === ownCategory ||
      categories.has(category)
      ? { category }
      : 21;
  const names = (stats ?? "").split(",").filter(Boolean);
  if (
    names.length === 0 ||
    names.length > mostStats ||
    !names.every((name) => Object.hasOwn(paths, name))
  )
    return 25;
  const at = query.get("timestamp");
  return { stats: names, at: at !== null && /^[0-9]{1,12}$/.test(at) ? Number(at) : null };
}

type Nested = { [name: string]: number | Nested };

function put(into: Nested, path: readonly string[], value: number): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const deeper = into[name];
  const group = typeof deeper === "object" ? deeper : {};
  into[name] = group;
  put(group, rest, value);
}

/** @param battleStats of the key's owner if the key may read them; else null */
export function nestedStats(
  category: string,
  counters: Counters,
  battleStats: FourStats | null,
): Nested {
  const nested: Nested = {};
  for (const [name, path] of Object.entries(paths)) {
    const wanted =
      category === "all" ||
      (category === "popular" ? popular.has(name) : path.startsWith(`${category}.`));
    if (wanted) put(nested, path.split("."), counters.get(name) ?? 0);
  }
  if (battleStats && (category === "all" || category === ownCategory)) {
    const { strength, defense, speed, dexterity } = battleStats;
    nested[ownCategory] = {
      strength,
      defense,
      speed,
      dexterity,
      total: strength + defense + speed + dexterity,
    };
  }
  return nested;
}

export const statsOnDay = (names: readonly string[], counters: Counters, day: number) =>
  names.map((name) => ({ name, value: counters.get(name) ?? 0, timestamp: day * daySeconds }));
