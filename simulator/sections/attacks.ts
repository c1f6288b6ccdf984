import { toUnixSeconds } from "#server/platform/time";
import type { Faction } from "#simulator/factions";
import type { Attack } from "#simulator/fights/fight-rules";
import { pageByTime, type TimeRange } from "#simulator/paging";
import type { Player } from "#simulator/players";
import type { Ask, Selection } from "./section";

/** The reader's side: both if their own people fought each other. */
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
  ({ clash }) => ({
    attacked: clash.attacker === player.index,
    defended: clash.defender === player.index,
  });

function fighter(index: number, faction: number | null, { world }: Ask) {
  const { id, name, level } = world.playerAt(index);
  const group = faction === null ? null : world.factionAt(faction);
  return { id, name, level, faction: group && { id: group.id, name: group.name } };
}

/** The target of a stealth attack does not learn the attacker. */
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

/** `filters=incoming|outgoing` keeps one direction; any other value keeps both. */
function wanted(ask: Ask): (sides: Sides) => boolean {
  const filters = (ask.url.searchParams.get("filters") ?? "").split(",");
  const [incoming, outgoing] = [filters.includes("incoming"), filters.includes("outgoing")];
  if (incoming === outgoing) return () => true;
  return ({ attacked, defended }) => (incoming ? defended : attacked);
}

/** Attacks that ended within a range, in its order, as known at a moment. */
type Source = (range: TimeRange, now: Date) => Iterable<Attack>;

/** Upper bound of a fight, in seconds. */
const longestFight = 300;

/** By start or by end, as the behaviour says. */
function* inOrder(source: Source, range: TimeRange, { now, behaviour }: Ask): Generator<Attack> {
  if (behaviour.now().attacksBy === "ended") {
    yield* source(range, now);
    return;
  }
  const { from, to, sort } = range;
  const begun = [...source({ from, to: to + longestFight, sort }, now)];
  const direction = sort === "ASC" ? 1 : -1;
  yield* begun
    .filter(({ clash }) => clash.started >= from && clash.started <= to)
    .sort((one, other) => direction * (one.clash.started - other.clash.started));
}

/** Fights in progress, without a result. */
function unfinished(source: Source, { now }: Ask): Attack[] {
  const second = toUnixSeconds(now);
  const soon = new Date(now.getTime() + longestFight * 1_000);
  const ending = source({ from: second + 1, to: second + longestFight, sort: "DESC" }, soon);
  return [...ending].filter(({ clash }) => clash.started <= second);
}

const isOpen = { ended: null, result: "None", respect_gain: 0, respect_loss: 0 };

function list(
  source: Source,
  sidesOf: SidesOf,
  ask: Ask,
  { simple, ofFaction }: { simple: boolean; ofFaction: boolean },
) {
  const wants = wanted(ask);
  const { attacksBy, fromIncluded, unfinishedFights, foreignAttacks } = ask.behaviour.now();
  const page = pageByTime<Attack>(
    { ...ask, fromIncluded },
    {
      *rows(range) {
        for (const attack of inOrder(source, range, ask)) if (wants(sidesOf(attack))) yield attack;
      },
      at: ({ clash }) => clash[attacksBy],
    },
    simple ? mostSimpleRows : undefined,
  );
  const print = (attack: Attack) => (simple ? simpleRow : row)(attack, sidesOf(attack), ask);
  const open = unfinishedFights
    ? unfinished(source, ask).map((attack) => ({ ...print(attack), ...isOpen }))
    : [];
  const [first] = page.rows;
  // A member has left the faction since: the row is still listed but no longer names it.
  const foreign = foreignAttacks && ofFaction && first ? [foreignRow(print(first))] : [];
  return { attacks: [...open, ...page.rows.map(print), ...foreign], _metadata: page._metadata };
}

const foreignRow = (printed: ReturnType<typeof row> | ReturnType<typeof simpleRow>) => ({
  ...printed,
  id: printed.id + 1,
  code: [...printed.code].reverse().join(""),
  attacker: null,
  defender: {
    ...printed.defender,
    ...("faction" in printed.defender ? { faction: null } : { faction_id: null }),
  },
});

const factionList = (simple: boolean): Selection<Faction> => ({
  level: 3,
  own: true,
  factionAccess: true,
  answer: (faction, ask) =>
    list((range, now) => ask.fights.ofFaction(faction.index, range, now), ofFaction(faction), ask, {
      simple,
      ofFaction: true,
    }),
});
const userList = (simple: boolean): Selection<Player> => ({
  level: 3,
  own: true,
  answer: (player, ask) =>
    list((range, now) => ask.fights.ofPlayer(player.index, range, now), ofPlayer(player), ask, {
      simple,
      ofFaction: false,
    }),
});

/** `faction/attacks`: both directions with all multipliers, at most 100 a page. */
export const factionAttacks = factionList(false);
/** `faction/attacksfull`: the same in short form, at most 1,000 a page. */
export const factionAttacksFull = factionList(true);
/** `user/attacks`: both directions for the key's owner. */
export const userAttacks = userList(false);
/** `user/attacksfull`: the same in short form. */
export const userAttacksFull = userList(true);
