import { expect, test } from "vitest";
import { createAttackLogCursor, resumePointOf } from "./attack-log";
import { pageSize } from "./client";
import type { ListedAttack } from "./contract/attack";

const start = Date.UTC(2026, 2, 1, 12) / 1_000;
const moment = (seconds: number) => new Date(seconds * 1_000);
/** A fight that began and ended at these seconds; none for one that goes on. */
const fight = (
  started: number,
  ended: number | null,
  code = `${started}-${ended}`,
): ListedAttack => ({
  code,
  started: moment(started),
  ended: ended === null ? null : moment(ended),
  attacker: null,
  defender: { playerId: 1, name: "", level: null, faction: null },
  result: "Attacked",
  respectGain: 1,
  modifiers: { fairFight: 2, war: 1, retaliation: 1, overseas: 1 },
});

/** How the game may answer: by beginnings or by ends, its `from` included or not. */
const games = (["started", "ended"] as const).flatMap((by) =>
  [true, false].map((inclusive) => ({ by, inclusive })),
);

function ask(
  all: readonly ListedAttack[],
  game: (typeof games)[number],
  asked: { from: Date; now: number },
) {
  const at = (attack: ListedAttack) => (attack[game.by] ?? moment(asked.now)).getTime();
  return all
    .filter(({ ended }) => ended !== null && ended <= moment(asked.now))
    .filter((attack) =>
      game.inclusive ? at(attack) >= asked.from.getTime() : at(attack) > asked.from.getTime(),
    )
    .sort((one, other) => at(one) - at(other))
    .slice(0, pageSize);
}

/** Reads every half minute with so many calls, until `end`; gives the codes in the order they came, and the most calls of a run. */
function readAll(
  all: readonly ListedAttack[],
  game: (typeof games)[number],
  run: { calls: number; end: number },
) {
  const codes = new Set<string>();
  let mark: Date | null = null;
  let most = 0;
  for (let now = start; now <= run.end; now += 30) {
    const follow = createAttackLogCursor(moment(now));
    let from = resumePointOf(mark, moment(now - 86_400));
    for (let call = 1; call <= run.calls; call++) {
      const step = follow(ask(all, game, { from, now }), from);
      for (const { code } of step.finished) codes.add(code);
      if (step.mark && (!mark || step.mark > mark)) mark = step.mark;
      most = Math.max(most, call);
      if (!step.next) break;
      from = step.next;
    }
  }
  return { codes, most };
}

test.each(games)(
  "every fight is read where the game compares $by, from included: $inclusive",
  (game) => {
    // Short ones, and now and then one of five minutes that began before others and ended after them.
    const all = Array.from({ length: 400 }, (_, n) =>
      fight(start + n * 9, start + n * 9 + (n % 7 === 0 ? 300 : 5 + (n % 60))),
    );
    const { codes, most } = readAll(all, game, { calls: 4, end: start + 4_200 });
    expect(codes.size).toBe(all.length);
    expect(most).toBe(1);
  },
);

test.each(games)(
  "a backlog of many pages is read over several runs: $by, included: $inclusive",
  (game) => {
    const all = Array.from({ length: 2_000 }, (_, n) =>
      fight(start - 40_000 + n * 19, start - 40_000 + n * 19 + 40),
    );
    expect(readAll(all, game, { calls: 4, end: start + 600 }).codes.size).toBe(all.length);
  },
);

test.each(games)(
  "of several fights in the second at the edge of a page none is left out: $by, included: $inclusive",
  (game) => {
    // In threes, so that the edge of a page of a hundred lies within a second.
    const begins = (n: number) => start - 40_000 + Math.floor(n / 3) * 19;
    const all = Array.from({ length: 1_000 }, (_, n) => fight(begins(n), begins(n) + 40, `${n}`));
    expect(readAll(all, game, { calls: 4, end: start + 600 }).codes.size).toBe(all.length);
  },
);

test.each(games)(
  "more fights within six minutes than a run reads do not stop it: $by, included: $inclusive",
  (game) => {
    const all = Array.from({ length: 2_400 }, (_, n) =>
      fight(start + n / 2, start + n / 2 + 20, `${n}`),
    );
    expect(readAll(all, game, { calls: 4, end: start + 2_400 }).codes.size).toBe(all.length);
  },
);

test.each(games)(
  "many that begin and end in one second are read as far as a page goes: $by, included: $inclusive",
  (game) => {
    const crowd = Array.from({ length: 150 }, (_, n) =>
      fight(start + 100, start + 130, `crowd-${n}`),
    );
    const last = fight(start + 400, start + 420);
    const { codes } = readAll([...crowd, last], game, { calls: 4, end: start + 900 });
    expect(codes.size).toBeGreaterThanOrEqual(101);
    expect(codes).toContain(last.code);
  },
);

test("a fight that goes on is not passed by", () => {
  const page = [fight(start, start + 10), fight(start + 20, null), fight(start + 30, start + 60)];
  const step = createAttackLogCursor(moment(start + 90))(page, moment(start - 60));
  expect(step.finished.map(({ code }) => code)).toEqual([page[0]?.code, page[2]?.code]);
  expect(step.mark).toEqual(moment(start + 20));
});

test("one that never gets an end holds the reading up for a quarter of an hour", () => {
  const page = [fight(start, null), fight(start + 800, start + 850)];
  const mark = (now: number) => createAttackLogCursor(moment(now))(page, moment(start - 60)).mark;
  expect(mark(start + 899)).toEqual(moment(start));
  expect(mark(start + 901)).toEqual(moment(start + 850));
});

test("a fight of the future is left out, and the next reading does not begin there", () => {
  const page = [fight(start, start + 10), fight(start + 5, start + 9_000_000_000)];
  const step = createAttackLogCursor(moment(start + 90))(page, moment(start - 60));
  expect(step.finished).toHaveLength(1);
  expect(step.mark).toEqual(moment(start + 10));
});

test("rows that cannot be read count towards a full page", () => {
  const page = Array.from({ length: pageSize - 1 }, (_, n) => fight(start + n, start + n + 5));
  Object.defineProperty(page, "unreadable", { value: { rows: 1, why: [] } });
  expect(createAttackLogCursor(moment(start + 200))(page, moment(start)).next).not.toBeNull();
});
