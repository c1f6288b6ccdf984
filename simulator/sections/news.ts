import type { Faction } from "#simulator/factions";
import type { Attack } from "#simulator/fights";
import { pageByTime, type TimeRange } from "#simulator/paging";
import type { VaultMove } from "#simulator/vault";
import type { Ask, Selection } from "./section";

/** `cat` values, and whether they need a limited key and faction access. */
const newsCategories: Readonly<Record<string, { readonly restricted: boolean }>> = {
  main: { restricted: false },
  membership: { restricted: false },
  crime: { restricted: false },
  chain: { restricted: false },
  rankedWar: { restricted: false },
  armoryAction: { restricted: false },
  attack: { restricted: true },
  giveFunds: { restricted: true },
  depositFunds: { restricted: true },
};

const limited = 3;

const grouped = new Intl.NumberFormat("en-US");
const amountText = ({ currency, amount }: VaultMove) =>
  currency === "money" ? `$${grouped.format(amount)}` : `${grouped.format(amount)} points`;

/** Linked, or plain with `striptags`. */
function person(index: number, { world, url }: Ask): string {
  const { id, name } = world.playerAt(index);
  if (url.searchParams.get("striptags")?.toLowerCase() === "true") return name;
  return `<a href = "http://game.invalid/profiles.php?XID=${id}">${name}</a>`;
}

function sentence(move: VaultMove, ask: Ask): string {
  const [member, banker, amount] = [
    person(move.member, ask),
    person(move.banker, ask),
    amountText(move),
  ];
  if (move.kind === "give") return `${member} was given ${amount} by ${banker}`;
  if (move.kind === "adjust") return `${banker} added ${amount} to the balance of ${member}`;
  return `${member} was paid ${amount} for a total of $${grouped.format(move.amount * 12)} from the faction by ${banker}`;
}

/** The attacker of a stealth attack is not visible. */
function fight(attack: Attack, faction: Faction, ask: Ask): string {
  const { gain } = attack;
  const unknown = attack.stealthed && attack.attackerFaction !== faction.index;
  const who = unknown ? "Someone" : person(attack.attacker, ask);
  return `${who} attacked ${person(attack.defender, ask)}: ${attack.result}${gain > 0 ? ` (+${gain.toFixed(2)})` : ""}`;
}

interface NewsItem {
  readonly id: string;
  readonly text: string;
  readonly timestamp: number;
}

/** Empty for categories that are not simulated. */
function* newsOf(
  category: string,
  faction: Faction,
  range: TimeRange,
  ask: Ask,
): Generator<NewsItem> {
  if (category === "giveFunds")
    for (const move of ask.vault.moves(faction, range, ask.now))
      yield { id: move.id, text: sentence(move, ask), timestamp: move.at };
  if (category === "attack")
    for (const attack of ask.fights.ofFaction(faction.index, range, ask.now))
      yield {
        id: attack.code.slice(0, 20),
        text: fight(attack, faction, ask),
        timestamp: attack.ended,
      };
}

const categoryOf = ({ url }: Ask) => url.searchParams.get("cat") ?? "";

/**
 * `faction/news?cat=`: vault gifts and payments, and fights. Other categories are empty.
 */
export const factionNews: Selection<Faction> = {
  level: 2,
  own: true,
  refuses: (_, ask) => {
    const { key, world, owner } = ask;
    const name = categoryOf(ask);
    const category = Object.hasOwn(newsCategories, name) ? newsCategories[name] : undefined;
    if (!category) return 21;
    if (!category.restricted) return null;
    if (key.level !== 0 && key.level < limited) return 16;
    return world.hasFactionAccess(owner) ? null : 7;
  },
  answer: (faction, ask) => {
    const { rows, _metadata } = pageByTime<NewsItem>(
      { ...ask, fromIncluded: ask.behaviour.now().fromIncluded },
      {
        rows: (range) => newsOf(categoryOf(ask), faction, range, ask),
        at: ({ timestamp }) => timestamp,
      },
    );
    return { news: rows, _metadata };
  },
};
