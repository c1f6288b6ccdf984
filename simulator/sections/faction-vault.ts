import type { Faction } from "#simulator/factions";
import type { Player } from "#simulator/players";
import type { Selection } from "./section";

const balanceCategories = ["current", "all"];

/** `faction/balance`: the vault, and whose how much of it is. `cat=all` lists former members too who have something left. */
export const factionBalance: Selection<Faction> = {
  level: 3,
  own: true,
  factionAccess: true,
  refuses: (_, { url }) => (balanceCategories.includes(url.searchParams.get("cat") ?? "current") ? null : 21),
  answer: (faction, { world, vault, url, now }) => {
    const row = (player: Player) => ({
      id: player.id,
      username: player.name,
      money: vault.balance(faction, player.index, { currency: "money", now }),
      points: vault.balance(faction, player.index, { currency: "points", now }),
    });
    const former = vault.formerMembers(faction).map((index) => row(world.playerAt(index)));
    const owed = former.filter(({ money, points }) => money + points > 0);
    const members = world.members(faction).map(row);
    const total = (currency: "money" | "points") =>
      [...members, ...owed].reduce((sum, member) => sum + member[currency], vault.pot(faction, currency));
    const all = url.searchParams.get("cat") === "all";
    return {
      balance: {
        faction: { money: total("money"), points: total("points"), scope: all ? "all" : "current" },
        members: all ? [...members, ...owed] : members,
      },
    };
  },
};
