import type { Faction } from "#simulator/factions";
import { pageByTime } from "#simulator/paging";
import type { Currency, VaultMove } from "#simulator/vault";
import type { CallContext, Selection } from "./section";

/** `faction/balance`: the vault and the members' balances. */
export const factionBalance: Selection<Faction> = {
  level: 3,
  own: true,
  factionAccess: true,
  answer: (faction, { world, vault }) => {
    const members = world.members(faction).map(({ id, index, name }) => ({
      id,
      username: name,
      money: vault.balance(faction, index, "money"),
      points: vault.balance(faction, index, "points"),
    }));
    const total = (currency: Currency) =>
      members.reduce((sum, member) => sum + member[currency], vault.pot(faction, currency));
    return {
      balance: {
        faction: { money: total("money"), points: total("points"), scope: "current" },
        members,
      },
    };
  },
};

const grouped = new Intl.NumberFormat("en-US");
const amountText = ({ currency, amount }: VaultMove) =>
  currency === "money" ? `$${grouped.format(amount)}` : `${grouped.format(amount)} points`;

function person(index: number, { world }: CallContext): string {
  const { id, name } = world.playerAt(index);
  return `<a href = "http://game.invalid/profiles.php?XID=${id}">${name}</a>`;
}

function sentence(move: VaultMove, ask: CallContext): string {
  const [member, banker, amount] = [
    person(move.member, ask),
    person(move.banker, ask),
    amountText(move),
  ];
  if (move.kind === "give") return `${member} was given ${amount} by ${banker}`;
  if (move.kind === "adjust") return `${banker} added ${amount} to the balance of ${member}`;
  return `${member} was paid ${amount} for a total of $${grouped.format(move.amount * 12)} from the faction by ${banker}`;
}

/** `faction/news?cat=giveFunds`: payments out of the vault. Other categories are not simulated. */
export const factionNews: Selection<Faction> = {
  level: 3,
  own: true,
  factionAccess: true,
  refuses: (_, { url }) => (url.searchParams.get("cat") === "giveFunds" ? null : 21),
  answer: (faction, ask) => {
    const { rows, _metadata } = pageByTime<VaultMove>(
      { ...ask, fromIncluded: ask.behaviour.now().fromIncluded },
      { rows: (range) => ask.vault.moves(faction, range, ask.now), at: ({ at }) => at },
    );
    const news = rows.map((move) => ({
      id: move.id,
      text: sentence(move, ask),
      timestamp: move.at,
    }));
    return { news, _metadata };
  },
};
