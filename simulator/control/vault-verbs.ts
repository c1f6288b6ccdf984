import { z } from "zod";
import { type ControlParts, id, mustExist, verb } from "./verb";

const most = 2 ** 53 - 1;
const amount = z.int().min(1).max(most);

/** The currency and how much of it: `money: 5` and `points: 5`, or `amount: 5` with `points: true`. */
const GiveFunds = z
  .strictObject({
    factionId: id,
    by: id,
    to: id,
    money: z.union([amount, z.literal(true)]).optional(),
    points: z.union([amount, z.literal(true)]).optional(),
    amount: amount.optional(),
  })
  .transform(({ money, points, amount, ...people }) => {
    const currency = points === undefined ? ("money" as const) : ("points" as const);
    const named = points ?? money;
    return { ...people, currency, amount: typeof named === "number" ? named : amount };
  });

const balance = z.int().min(0).max(most);
const SetBalance = z.strictObject({
  factionId: id,
  playerId: id,
  money: balance.optional(),
  points: balance.optional(),
});

/** Verbs about vaults. A balance that one of them has touched is moved by verbs alone from then on. */
export function vaultVerbs({ world, vault, now }: ControlParts) {
  return {
    giveFunds: verb(GiveFunds, ({ factionId, by, to, currency, amount }) => {
      const faction = mustExist(world.faction(factionId), "The faction");
      const people = { to: mustExist(world.player(to), "The player"), by: mustExist(world.player(by), "The banker") };
      if (amount === undefined) throw new Error("Say how much is given: money, points, or an amount.");
      const newsId = vault.give(faction, people, { currency, amount, now: now() });
      if (newsId === null) throw new Error(`The balance of the player ${to} does not cover ${amount} of ${currency}.`);
      return { newsId };
    }),
    setBalance: verb(SetBalance, ({ factionId, playerId, ...amounts }) => {
      const faction = mustExist(world.faction(factionId), "The faction");
      const { index } = mustExist(world.player(playerId), "The player");
      for (const currency of ["money", "points"] as const) {
        const amount = amounts[currency];
        if (amount !== undefined) vault.set(faction, index, { currency, amount, now: now() });
      }
    }),
  };
}
