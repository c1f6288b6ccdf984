import { hourSeconds } from "#server/platform/durations";
import { demoPeople } from "#simulator/demo-people";
import { createDraw } from "#simulator/draw";
import type { Faction } from "#simulator/factions";
import type { World } from "#simulator/world";

export type Currency = "money" | "points";

/**
 * What the news tells of a vault: a deposit of the member, what a banker gave out of a balance, and what moves none: a payday, and
 * an addition to a balance that the faction itself owns. Times are Unix seconds.
 */
export interface VaultMove {
  readonly id: string;
  readonly at: number;
  readonly kind: "deposit" | "give" | "payday" | "adjust";
  readonly currency: Currency;
  readonly amount: number;
  /** The member's index, and for what was given the banker's. */
  readonly member: number;
  readonly banker: number | null;
}

/** In each cell of three days a member deposits once at most, and has the same amount given back later in it. */
export const cellSeconds = 72 * hourSeconds;

/** What the demo people have in their faction's vault: comfortable, and moved by control verbs alone. */
const demoBalances: Readonly<Record<string, Readonly<Record<Currency, number>>>> = {
  developer: { money: 12_480_000, points: 260 },
  banker: { money: 48_215_500, points: 1_150 },
  member: { money: 7_350_000, points: 420 },
  outsider: { money: 3_125_000, points: 150 },
};

const tidy = (amount: number) => Math.max(1_000, Math.round(amount / 1_000) * 1_000);

/** The closed form of all vaults: balances and their moves by member and cell. Everything deposited there is given out again. */
export function createVaultCourse(seed: number, world: World) {
  const draws = { money: createDraw(seed, "vault-money"), points: createDraw(seed, "vault-points") };

  /** The people who hand out, by what the draws made of them: leaders first, demo people last. */
  function bankersOf(faction: Faction): number[] {
    const giving = new Set(["Leader", "Co-leader", "Banker"]);
    return world.firstMembers(faction).filter((index) => giving.has(world.drawnPosition(index) ?? ""));
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

  /** The deposit and the gift of a member in one cell; none in most. */
  function moves(faction: Faction, index: number, cell: number): VaultMove[] {
    if (demoPeople[index] || world.drawnPlayer(index).silentSince) return [];
    return (["money", "points"] as const).flatMap((currency): VaultMove[] => {
      const draw = draws[currency];
      const n = cell * 16;
      if (draw.unit(index, n) >= (currency === "money" ? 0.3 : 0.08)) return [];
      const scale = draw.normal(index, n + 1);
      const amount =
        currency === "money" ? tidy(900_000 * Math.exp(1.2 * scale)) : 1 + Math.round(25 * Math.exp(0.8 * scale));
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

  /** In each cell one member is paid on payday, and to another's balance something is added. */
  function besides(faction: Faction, cell: number): VaultMove[] {
    const members = world.firstMembers(faction);
    const bankers = bankersOf(faction);
    return (["payday", "adjust"] as const).flatMap((kind, place): VaultMove[] => {
      const n = cell * 16 + 8 + place;
      const member = members[draws.money.bits(faction.index, n) % members.length];
      const banker = bankers[draws.points.bits(faction.index, n) % bankers.length] ?? null;
      if (member === undefined || banker === null) return [];
      const at = cell * cellSeconds + draws.money.between(faction.index, n, [hourSeconds, 70 * hourSeconds]);
      const amount = tidy(400_000 * Math.exp(draws.money.normal(faction.index, n)));
      const id = `${at.toString(16)}${faction.index.toString(16).padStart(5, "0")}${place === 0 ? "e" : "b"}0`;
      return [{ id, at, kind, currency: "money", amount, member, banker }];
    });
  }

  return { base, moves, besides };
}
