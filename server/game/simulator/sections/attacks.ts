import type { Faction } from "../factions";
import type { Attack } from "../fights/attack";
import { pageByTime } from "../paging";
import type { Player } from "../players";
import type { Ask, Selection } from "./section";

/** Which side the reader was on: both where their own people fought each other. */
interface Sides {
  readonly attacked: boolean;
  readonly defended: boolean;
}

type SidesOf = (attack: Attack) => Sides;

const mostSimpleRows = 1_000;

const ofFaction =
  (faction: Faction): SidesOf =>
  ({ attackerFaction, defenderFaction }) => ({
    attacked: attackerFaction === faction.index,
    defended: defenderFaction === faction.index,
  });
const ofPlayer =
  (player: Player): SidesOf =>
  ({ clash }) => ({ attacked: clash.attacker === player.index, defended: clash.defender === player.index });

function fighter(index: number, faction: number | null, { world }: Ask) {
  const { id, name, level } = world.playerAt(index);
  const group = faction === null ? null : world.factionAt(faction);
  return { id, name, level, faction: group && { id: group.id, name: group.name } };
}

/** Whoever was hit out of stealth is not told by whom. */
const hidden = (attack: Attack, { attacked }: Sides) => attack.clash.stealthed && !attacked;

function row(attack: Attack, sides: Sides, ask: Ask) {
  const { clash, modifiers } = attack;
  return {
    id: attack.id,
    code: attack.code,
    started: clash.started,
    ended: clash.ended,
    attacker: hidden(attack, sides) ? null : fighter(clash.attacker, attack.attackerFaction, ask),
    defender: fighter(clash.defender, attack.defenderFaction, ask),
    result: clash.result,
    respect_gain: attack.gain,
    respect_loss: attack.loss,
    chain: attack.chain,
    is_interrupted: clash.result === "Interrupted",
    is_stealthed: clash.stealthed,
    is_raid: false,
    is_ranked_war: attack.rankedWar,
    is_territory_war: false,
    territory_war_id: null,
    finishing_hit_effects: [],
    modifiers: {
      fair_fight: modifiers.fairFight,
      war: modifiers.war,
      retaliation: modifiers.retaliation,
      group: modifiers.group,
      overseas: modifiers.overseas,
      chain: modifiers.chain,
      warlord: modifiers.warlord,
    },
  };
}

function simpleRow(attack: Attack, sides: Sides, { world }: Ask) {
  const { clash } = attack;
  const side = (index: number, faction: number | null) => ({
    id: world.playerAt(index).id,
    faction_id: faction === null ? null : world.factionAt(faction).id,
  });
  return {
    id: attack.id,
    code: attack.code,
    started: clash.started,
    ended: clash.ended,
    attacker: hidden(attack, sides) ? null : side(clash.attacker, attack.attackerFaction),
    defender: side(clash.defender, attack.defenderFaction),
    result: clash.result,
    respect_gain: attack.gain,
    respect_loss: attack.loss,
  };
}

/** `filters=incoming|outgoing` keeps one direction; anything else keeps both. */
function wanted(ask: Ask): (sides: Sides) => boolean {
  const filters = (ask.url.searchParams.get("filters") ?? "").split(",");
  const [incoming, outgoing] = [filters.includes("incoming"), filters.includes("outgoing")];
  if (incoming === outgoing) return () => true;
  return ({ attacked, defended }) => (incoming ? defended : attacked);
}

/** One page of rows, from a source of all attacks of a range. */
function list(source: Parameters<typeof pageByTime<Attack>>[1]["rows"], sidesOf: SidesOf, ask: Ask, simple: boolean) {
  const wants = wanted(ask);
  const page = pageByTime<Attack>(
    ask,
    {
      *rows(range) {
        for (const attack of source(range)) if (wants(sidesOf(attack))) yield attack;
      },
      at: ({ clash }) => clash.ended,
    },
    simple ? mostSimpleRows : undefined,
  );
  const print = simple ? simpleRow : row;
  return { attacks: page.rows.map((attack) => print(attack, sidesOf(attack), ask)), _metadata: page._metadata };
}

const factionList = (simple: boolean): Selection<Faction> => ({
  level: 3,
  own: true,
  factionAccess: true,
  answer: (faction, ask) =>
    list((range) => ask.fights.ofFaction(faction.index, range, ask.now), ofFaction(faction), ask, simple),
});
const userList = (simple: boolean): Selection<Player> => ({
  level: 3,
  own: true,
  answer: (player, ask) =>
    list((range) => ask.fights.ofPlayer(player.index, range, ask.now), ofPlayer(player), ask, simple),
});

/** `faction/attacks`: what the faction's members did and suffered, with all multipliers, at most 100 a page. */
export const factionAttacks = factionList(false);
/** `faction/attacksfull`: the same in few words, at most 1,000 a page. */
export const factionAttacksFull = factionList(true);
/** `user/attacks`: what the key's owner did and suffered. */
export const userAttacks = userList(false);
/** `user/attacksfull`: the same in few words. */
export const userAttacksFull = userList(true);
