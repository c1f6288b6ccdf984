import { daySeconds, hourSeconds, toUnixSeconds } from "#server/platform/time";
import { demoPeople } from "#simulator/demo-people";
import { createDraw } from "#simulator/draw";
import type { Faction } from "#simulator/factions";
import type { TimeRange } from "#simulator/paging";
import type { Player } from "#simulator/players";
import type { World } from "#simulator/world";

type Currency = "money" | "points";

/**
 * A move in the vault's news: a deposit, a payment out of a balance, or one that touches no balance
 * (payday, the faction's own funds). Times are Unix seconds.
 */
export interface VaultMove {
  readonly id: string;
  readonly at: number;
  readonly kind: "deposit" | "give" | "payday" | "adjust";
  readonly currency: Currency;
  readonly amount: number;
  /** Index of the member; for a payment, of the banker. */
  readonly member: number;
  readonly banker: number | null;
}

/** Older moves are not in the news. */
const keptSeconds = 30 * daySeconds;

/** Closed form, plus the balances that control verbs have touched. */
export function createVault({ seed, world }: { seed: number; world: World }) {
  const course = createVaultCourse(seed, world);
  const potDraw = createDraw(seed, "vault-pot");
  /** Balances set by verbs, and since when: the closed form no longer moves them. */
  const touched = new Map<string, { amount: number; since: number }>();
  const given: (VaultMove & { factionId: number })[] = [];

  const entry = (faction: Faction, index: number, currency: Currency) =>
    `${faction.id} ${index} ${currency}`;

  const drawnIn = (faction: Faction, index: number) => world.firstMembers(faction).includes(index);

  /** Moves of the closed form before a verb took over. */
  function drawnMoves(faction: Faction, index: number, cell: number): VaultMove[] {
    return course.moves(faction, index, cell).filter(({ at, currency }) => {
      const since = touched.get(entry(faction, index, currency))?.since;
      return since === undefined || at < since;
    });
  }

  /** Never below 0. */
  function balance(
    faction: Faction,
    index: number,
    asked: { currency: Currency; now: Date },
  ): number {
    const set = touched.get(entry(faction, index, asked.currency));
    if (set) return set.amount;
    if (!drawnIn(faction, index)) return 0;
    const seconds = toUnixSeconds(asked.now);
    const held = course
      .moves(faction, index, Math.floor(seconds / cellSeconds))
      .filter(({ at, currency }) => at <= seconds && currency === asked.currency)
      .reduce((sum, { kind, amount }) => sum + (kind === "deposit" ? amount : -amount), 0);
    return course.base(index, asked.currency) + held;
  }

  function set(
    faction: Faction,
    index: number,
    requested: { currency: Currency; amount: number; now: Date },
  ): void {
    const since = toUnixSeconds(requested.now);
    touched.set(entry(faction, index, requested.currency), { amount: requested.amount, since });
  }

  /** Pays out of the member's balance. Returns the news id, or null if the balance is too low. */
  function give(
    faction: Faction,
    people: { to: Player; by: Player },
    requested: { currency: Currency; amount: number; now: Date },
  ): string | null {
    const { currency, amount, now } = requested;
    const left = balance(faction, people.to.index, { currency, now }) - amount;
    if (left < 0) return null;
    set(faction, people.to.index, { currency, amount: left, now });
    const at = toUnixSeconds(now);
    const id = `${at.toString(16)}${given.length.toString(16).padStart(5, "0")}f0`;
    const move = {
      id,
      at,
      kind: "give",
      currency,
      amount,
      member: people.to.index,
      banker: people.by.index,
    } as const;
    given.push({ ...move, factionId: faction.id });
    return id;
  }

  /** Excludes the members' balances. */
  const pot = (faction: Faction, currency: Currency) =>
    potDraw.between(
      faction.index,
      currency === "money" ? 0 : 1,
      currency === "money" ? [5_000_000, 900_000_000] : [200, 20_000],
    );

  /** Vault news of a range, both ends inclusive, in order of time; lazy. */
  function* moves(faction: Faction, range: TimeRange, now: Date): Generator<VaultMove> {
    const from = Math.max(range.from, toUnixSeconds(now) - keptSeconds);
    const [first, last] = [Math.floor(from / cellSeconds), Math.floor(range.to / cellSeconds)];
    for (let step = 0; step <= last - first; step++) {
      const cell = range.sort === "DESC" ? last - step : first + step;
      const drawn = world
        .firstMembers(faction)
        .flatMap((index) => drawnMoves(faction, index, cell));
      const byVerbs = given.filter(
        ({ factionId, at }) => factionId === faction.id && Math.floor(at / cellSeconds) === cell,
      );
      const inCell = [...drawn, ...byVerbs, ...course.besides(faction, cell)]
        .filter(({ at }) => at >= from && at <= range.to)
        .sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
      yield* range.sort === "DESC" ? inCell.reverse() : inCell;
    }
  }

  const formerMembers = (faction: Faction) =>
    world
      .firstMembers(faction)
      .filter((index) => world.membership(world.playerAt(index))?.faction.id !== faction.id);

  return { balance, set, give, pot, moves, formerMembers };
}

/**
 * Per cell of three days a member deposits at most once, and gets the same amount back later in it.
 */
const cellSeconds = 72 * hourSeconds;

/** Only control verbs move the balances of demo people. */
const demoBalances: Readonly<Record<string, Readonly<Record<Currency, number>>>> = {
  developer: { money: 12_480_000, points: 260 },
  banker: { money: 48_215_500, points: 1_150 },
  member: { money: 7_350_000, points: 420 },
  outsider: { money: 3_125_000, points: 150 },
};

const tidy = (amount: number) => Math.max(1_000, Math.round(amount / 1_000) * 1_000);

/** Balances and moves by member and cell. Every deposit is paid out again. */
function createVaultCourse(seed: number, world: World) {
  const draws = {
    money: createDraw(seed, "vault-money"),
    points: createDraw(seed, "vault-points"),
  };

  /** Drawn bankers: leaders first, demo people last. */
  function bankersOf(faction: Faction): number[] {
    const giving = new Set(["Leader", "Co-leader", "Banker"]);
    return world
      .firstMembers(faction)
      .filter((index) => giving.has(world.drawnPosition(index) ?? ""));
  }

  function base(index: number, currency: Currency): number {
    const demo = demoPeople[index];
    if (demo) return demoBalances[demo.role]?.[currency] ?? 0;
    const draw = draws[currency];
    if (draw.unit(index) < 0.35) return 0;
    return currency === "money"
      ? tidy(2_500_000 * Math.exp(1.4 * draw.normal(index, 1)))
      : Math.round(60 * Math.exp(1.1 * draw.normal(index, 1)));
  }

  /** The deposit and its payment; none in most cells. */
  function moves(faction: Faction, index: number, cell: number): VaultMove[] {
    if (demoPeople[index] || world.drawnPlayer(index).silentSince) return [];
    return (["money", "points"] as const).flatMap((currency): VaultMove[] => {
      const draw = draws[currency];
      const n = cell * 16;
      if (draw.unit(index, n) >= (currency === "money" ? 0.3 : 0.08)) return [];
      const scale = draw.normal(index, n + 1);
      const amount =
        currency === "money"
          ? tidy(900_000 * Math.exp(1.2 * scale))
          : 1 + Math.round(25 * Math.exp(0.8 * scale));
      const deposited = cell * cellSeconds + draw.between(index, n + 2, [0, 40 * hourSeconds]);
      const given = deposited + draw.between(index, n + 3, [10 * 60, 31 * hourSeconds]);
      const bankers = bankersOf(faction);
      const banker = bankers[draw.bits(index, n + 4) % bankers.length] ?? null;
      const name = (at: number, kind: string) =>
        `${at.toString(16)}${index.toString(16).padStart(5, "0")}${kind}${currency === "money" ? "0" : "1"}`;
      const move = { currency, amount, member: index };
      return [
        { ...move, id: name(deposited, "d"), at: deposited, kind: "deposit", banker: null },
        { ...move, id: name(given, "a"), at: given, kind: "give", banker },
      ];
    });
  }

  /** Per cell one member gets a payday, and one balance an addition. */
  function besides(faction: Faction, cell: number): VaultMove[] {
    const members = world.firstMembers(faction);
    const bankers = bankersOf(faction);
    return (["payday", "adjust"] as const).flatMap((kind, place): VaultMove[] => {
      const n = cell * 16 + 8 + place;
      const member = members[draws.money.bits(faction.index, n) % members.length];
      const banker = bankers[draws.points.bits(faction.index, n) % bankers.length] ?? null;
      if (member === undefined || banker === null) return [];
      const at =
        cell * cellSeconds + draws.money.between(faction.index, n, [hourSeconds, 70 * hourSeconds]);
      const amount = tidy(400_000 * Math.exp(draws.money.normal(faction.index, n)));
      const id = `${at.toString(16)}${faction.index.toString(16).padStart(5, "0")}${place === 0 ? "e" : "b"}0`;
      return [{ id, at, kind, currency: "money", amount, member, banker }];
    });
  }

  return { base, moves, besides };
}
