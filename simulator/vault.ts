import { daySeconds, toUnixSeconds } from "#server/platform/time";
import { type DemoPerson, demoPeople } from "./demo-people";
import { createRandom } from "./draw";
import type { Faction } from "./factions";
import type { TimeRange } from "./paging";
import type { Player } from "./players";
import type { World } from "./world";

export type Currency = "money" | "points";

/** A line of the news; only `give` changes a balance. Times are Unix seconds. */
export interface VaultMove {
  readonly id: string;
  readonly at: number;
  readonly kind: "give" | "payday" | "adjust";
  readonly currency: Currency;
  readonly amount: number;
  /** Indices of players. */
  readonly member: number;
  readonly banker: number;
}

/** Older moves are not in the news. */
const keptSeconds = 30 * daySeconds;

const demoBalances: Readonly<Record<DemoPerson["role"], Readonly<Record<Currency, number>>>> = {
  developer: { money: 12_480_000, points: 260 },
  banker: { money: 48_215_500, points: 1_150 },
  member: { money: 7_350_000, points: 420 },
  outsider: { money: 3_125_000, points: 150 },
  loner: { money: 0, points: 0 },
};

const banking = new Set(["Leader", "Co-leader", "Banker"]);

/** Balances move by control verbs alone. */
export function createVault({ seed, world }: { seed: number; world: World }) {
  const draws = {
    money: createRandom(seed, "vault-money"),
    points: createRandom(seed, "vault-points"),
  };
  const potDraw = createRandom(seed, "vault-pot");
  const set = new Map<string, number>();
  const given: (VaultMove & { readonly factionId: number })[] = [];

  const entry = (faction: Faction, index: number, currency: Currency) =>
    `${faction.id} ${index} ${currency}`;

  function balance(faction: Faction, index: number, currency: Currency): number {
    const known = set.get(entry(faction, index, currency));
    if (known !== undefined) return known;
    if (!world.firstMembers(faction.index).includes(index)) return 0;
    const demo = demoPeople[index];
    if (demo) return demoBalances[demo.role][currency];
    const draw = draws[currency];
    if (draw.unit(index) < 0.35) return 0;
    return currency === "money"
      ? Math.round(2_500 * Math.exp(1.4 * draw.normal(index, 1))) * 1_000
      : Math.round(60 * Math.exp(1.1 * draw.normal(index, 1)));
  }

  const setBalance = (faction: Faction, index: number, currency: Currency, amount: number) =>
    set.set(entry(faction, index, currency), amount);

  /** Pays out of the member's balance. Returns the news id, or null if the balance is too low. */
  function give(
    faction: Faction,
    people: { to: Player; by: Player },
    { currency, amount, now }: { currency: Currency; amount: number; now: Date },
  ): string | null {
    const left = balance(faction, people.to.index, currency) - amount;
    if (left < 0) return null;
    setBalance(faction, people.to.index, currency, left);
    const at = toUnixSeconds(now);
    const id = `${at.toString(16)}${given.length.toString(16).padStart(5, "0")}f0`;
    const move = { id, at, kind: "give", currency, amount } as const;
    const { to, by } = people;
    given.push({ ...move, member: to.index, banker: by.index, factionId: faction.id });
    return id;
  }

  /** Excludes the members' balances. */
  const pot = (faction: Faction, currency: Currency) =>
    currency === "money"
      ? potDraw.between(faction.index, 0, [5_000_000, 900_000_000])
      : potDraw.between(faction.index, 1, [200, 20_000]);

  /** Each day has one payday and one adjustment. */
  function drawnOn(faction: Faction, day: number): VaultMove[] {
    const members = world.firstMembers(faction.index);
    const bankers = members.filter((index) => banking.has(world.drawnPosition(index) ?? ""));
    return (["payday", "adjust"] as const).map((kind, place) => {
      const n = day * 2 + place;
      const at = day * daySeconds + draws.money.between(faction.index, n, [0, daySeconds - 1]);
      return {
        id: `${at.toString(16)}${faction.index.toString(16).padStart(5, "0")}e${place}`,
        at,
        kind,
        currency: "money",
        amount: draws.money.between(faction.index, -n, [50, 2_000]) * 1_000,
        member: members[draws.money.bits(faction.index, n) % members.length] ?? 0,
        banker: bankers[draws.points.bits(faction.index, n) % bankers.length] ?? 0,
      };
    });
  }

  /** Vault news of a range, both ends inclusive, in order of time. */
  function moves(faction: Faction, range: TimeRange, now: Date): VaultMove[] {
    const from = Math.max(range.from, toUnixSeconds(now) - keptSeconds);
    const first = Math.floor(from / daySeconds);
    const count = Math.max(0, Math.floor(range.to / daySeconds) - first + 1);
    const days = Array.from({ length: count }, (_, step) => first + step);
    const direction = range.sort === "ASC" ? 1 : -1;
    return [
      ...days.flatMap((day) => drawnOn(faction, day)),
      ...given.filter(({ factionId }) => factionId === faction.id),
    ]
      .filter(({ at }) => at >= from && at <= range.to)
      .sort((one, other) => direction * (one.at - other.at || (one.id < other.id ? -1 : 1)));
  }

  return { balance, setBalance, give, pot, moves };
}
