import { daySeconds } from "#server/platform/durations";
import { toUnixSeconds } from "#server/platform/time";
import { createDraw } from "#simulator/draw";
import type { Faction } from "#simulator/factions";
import type { TimeRange } from "#simulator/paging";
import type { Player } from "#simulator/players";
import type { World } from "#simulator/world";
import { type Currency, cellSeconds, createVaultCourse, type VaultMove } from "./vault-course";

/** Moves that are older are no longer in the news. */
const keptSeconds = 30 * daySeconds;

/** The vaults of all factions: a closed form, and for the balances that a control verb has touched what it left there. */
export function createVault({ seed, world }: { seed: number; world: World }) {
  const course = createVaultCourse(seed, world);
  const potDraw = createDraw(seed, "vault-pot");
  /** Balances that verbs have set, and since when: the closed form moves them no more. */
  const touched = new Map<string, { amount: number; since: number }>();
  const given: (VaultMove & { factionId: number })[] = [];

  const entry = (faction: Faction, index: number, currency: Currency) => `${faction.id} ${index} ${currency}`;

  const drawnIn = (faction: Faction, index: number) => world.firstMembers(faction).includes(index);

  /** What the closed form moved, without what happened after a verb took over. */
  function drawnMoves(faction: Faction, index: number, cell: number): VaultMove[] {
    return course.moves(faction, index, cell).filter(({ at, currency }) => {
      const since = touched.get(entry(faction, index, currency))?.since;
      return since === undefined || at < since;
    });
  }

  /** What the member has in the vault at `now`; never below 0. */
  function balance(faction: Faction, index: number, asked: { currency: Currency; now: Date }): number {
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

  function set(faction: Faction, index: number, requested: { currency: Currency; amount: number; now: Date }): void {
    const since = toUnixSeconds(requested.now);
    touched.set(entry(faction, index, requested.currency), { amount: requested.amount, since });
  }

  /** Hands out of the member's balance and writes the news. Gives the news' id, or null where the balance does not cover it. */
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
    const move = { id, at, kind: "give", currency, amount, member: people.to.index, banker: people.by.index } as const;
    given.push({ ...move, factionId: faction.id });
    return id;
  }

  /** What the faction itself owns besides its members' balances. */
  const pot = (faction: Faction, currency: Currency) =>
    potDraw.between(
      faction.index,
      currency === "money" ? 0 : 1,
      currency === "money" ? [5_000_000, 900_000_000] : [200, 20_000],
    );

  /** Deposits, gifts and what else the news tell of a faction between two Unix seconds, both included, in the order of time. Lazy. */
  function* moves(faction: Faction, range: TimeRange, now: Date): Generator<VaultMove> {
    const from = Math.max(range.from, toUnixSeconds(now) - keptSeconds);
    const [first, last] = [Math.floor(from / cellSeconds), Math.floor(range.to / cellSeconds)];
    for (let step = 0; step <= last - first; step++) {
      const cell = range.sort === "DESC" ? last - step : first + step;
      const drawn = world.firstMembers(faction).flatMap((index) => drawnMoves(faction, index, cell));
      const byVerbs = given.filter(
        ({ factionId, at }) => factionId === faction.id && Math.floor(at / cellSeconds) === cell,
      );
      const inCell = [...drawn, ...byVerbs, ...course.besides(faction, cell)]
        .filter(({ at }) => at >= from && at <= range.to)
        .sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
      yield* range.sort === "DESC" ? inCell.reverse() : inCell;
    }
  }

  /** Indices of those who left the faction and have something in its vault still. */
  const formerMembers = (faction: Faction) =>
    world.firstMembers(faction).filter((index) => world.membership(world.playerAt(index))?.faction.id !== faction.id);

  return { balance, set, give, pot, moves, formerMembers };
}
