import { toUnixSeconds } from "#server/platform/time";
import type { Faction } from "#simulator/factions";
import type { Attack } from "#simulator/fights";
import { pageByTime, type TimeRange } from "#simulator/paging";
import type { Player } from "#simulator/players";
import type { CallContext, Selection } from "./section";

interface Source {
  readonly list: (range: TimeRange, now: Date) => Iterable<Attack>;
  /** True if the reader's side attacked. */
  readonly isOwn: (attack: Attack) => boolean;
}

function fighter(index: number, faction: number | null, { world }: CallContext) {
  const { id, name, level } = world.playerAt(index);
  const group = faction === null ? null : world.factionAt(faction);
  return { id, name, level, faction: group && { id: group.id, name: group.name } };
}

/** The target of a stealth attack does not learn the attacker. */
const rowOf = (attack: Attack, isOwn: boolean, ask: CallContext) => ({
  id: attack.id,
  code: attack.code,
  started: attack.started,
  ended: attack.ended,
  attacker:
    attack.stealthed && !isOwn ? null : fighter(attack.attacker, attack.attackerFaction, ask),
  defender: fighter(attack.defender, attack.defenderFaction, ask),
  result: attack.result,
  respect_gain: attack.gain,
  respect_loss: attack.loss,
  chain: 0,
  is_interrupted: attack.result === "Interrupted",
  is_stealthed: attack.stealthed,
  is_raid: false,
  is_ranked_war: attack.modifiers.war > 1,
  is_territory_war: false,
  territory_war_id: null,
  finishing_hit_effects: [],
  modifiers: attack.modifiers,
});

/** Upper bound of a fight, in seconds. */
const longestFight = 300;

function* inOrder(
  source: Source,
  range: TimeRange,
  { now, behaviour }: CallContext,
): Generator<Attack> {
  if (behaviour.now().attacksBy === "ended") {
    yield* source.list(range, now);
    return;
  }
  const { from, to, sort } = range;
  const begun = [...source.list({ from, to: to + longestFight, sort }, now)];
  const direction = sort === "ASC" ? 1 : -1;
  yield* begun
    .filter(({ started }) => started >= from && started <= to)
    .sort((one, other) => direction * (one.started - other.started));
}

/** Fights in progress, without a result. */
function unfinished(source: Source, { now }: CallContext): Attack[] {
  const second = toUnixSeconds(now);
  const soon = new Date(now.getTime() + longestFight * 1_000);
  const ending = source.list({ from: second + 1, to: second + longestFight, sort: "DESC" }, soon);
  return [...ending].filter(({ started }) => started <= second);
}

const isOpen = { ended: null, result: "None", respect_gain: 0, respect_loss: 0 };

function list(source: Source, ask: CallContext) {
  const { attacksBy, fromIncluded, unfinishedFights } = ask.behaviour.now();
  const page = pageByTime<Attack>(
    { ...ask, fromIncluded },
    { rows: (range) => inOrder(source, range, ask), at: (attack) => attack[attacksBy] },
  );
  const print = (attack: Attack) => rowOf(attack, source.isOwn(attack), ask);
  const open = unfinishedFights
    ? unfinished(source, ask).map((attack) => ({ ...print(attack), ...isOpen }))
    : [];
  return { attacks: [...open, ...page.rows.map(print)], _metadata: page._metadata };
}

/** A member has left the faction since: the row is still listed but no longer names it. */
const foreignRow = <Row extends Pick<ReturnType<typeof rowOf>, "id" | "code" | "defender">>(
  printed: Row,
) => ({
  ...printed,
  id: printed.id + 1,
  code: [...printed.code].reverse().join(""),
  attacker: null,
  defender: { ...printed.defender, faction: null },
});

/** `faction/attacks`: both directions with all multipliers, at most 100 a page. */
export const factionAttacks: Selection<Faction> = {
  level: 3,
  own: true,
  factionAccess: true,
  answer: ({ index }, ask) => {
    const source: Source = {
      list: (range, now) => ask.fights.ofFaction(index, range, now),
      isOwn: ({ attackerFaction }) => attackerFaction === index,
    };
    const answer = list(source, ask);
    const [first] = answer.attacks;
    const foreign = ask.behaviour.now().foreignAttacks && first ? [foreignRow(first)] : [];
    return { ...answer, attacks: [...answer.attacks, ...foreign] };
  },
};

/** `user/attacks`: both directions for the key's owner. */
export const userAttacks: Selection<Player> = {
  level: 3,
  own: true,
  answer: ({ index }, ask) =>
    list(
      {
        list: (range, now) => ask.fights.ofPlayer(index, range, now),
        isOwn: ({ attacker }) => attacker === index,
      },
      ask,
    ),
};
