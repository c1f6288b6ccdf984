import { expect, test } from "vitest";
import { processorTime } from "#server/testing/processor-time";
import { createGameAreas } from "./areas";
import { type Attack, baseRespect, isWon, printedFairFight } from "./fights";

const epoch = new Date("2026-03-01T12:00:10.000Z");
const second = Math.floor(epoch.getTime() / 1000);
const day = 86_400;
const open = (seed = 1) => createGameAreas({ seed, epoch, players: 2_400, factions: 30 });
const areas = open();
const began = second - 1.5 * day;

const ofFaction = (faction: number, from: number, sort: "ASC" | "DESC" = "DESC", parts = areas) => [
  ...parts.fights.ofFaction(faction, { from, to: second, sort }, epoch),
];
const factions = Array.from({ length: 30 }, (_, index) => index);
const lists = factions.map((faction) => ofFaction(faction, began));
const attacks = [...new Map(lists.flat().map((attack) => [attack.code, attack])).values()];
const won = attacks.filter(({ result }) => isWon(result));
const share = (list: readonly Attack[], holds: (attack: Attack) => boolean) =>
  list.filter(holds).length / list.length;

test("the printed fair fight is what the true scores of the moment give, between 1 and 3 with two decimals", () => {
  const wrong = attacks.filter(({ modifiers, ...fight }) => {
    const at = new Date(fight.ended * 1000);
    const [attacker, defender] = [
      areas.people.score(fight.attacker, at),
      areas.people.score(fight.defender, at),
    ];
    const exact = Math.min(3, Math.max(1, 1 + (8 / 3) * (defender / attacker)));
    return (
      Math.abs(modifiers.fair_fight - exact) > 0.005_000_1 ||
      !/^\d(\.\d\d?)?$/.test(String(modifiers.fair_fight))
    );
  });
  expect(attacks.length).toBeGreaterThan(5_000);
  expect(wrong).toEqual([]);
});

test("attackers lose about one fight in nine, and about one win in nine is capped at 3", () => {
  const lost = share(attacks, ({ result }) => !isWon(result));
  expect(lost).toBeGreaterThan(0.09);
  expect(lost).toBeLessThan(0.14);
  const capped = share(
    attacks,
    ({ result, modifiers }) => isWon(result) && modifiers.fair_fight === 3,
  );
  expect(capped).toBeGreaterThan(0.07);
  expect(capped).toBeLessThan(0.16);
  const middle =
    [...attacks].map(({ modifiers }) => modifiers.fair_fight).sort()[attacks.length >> 1] ?? 0;
  expect(middle).toBeGreaterThan(1.8);
  expect(middle).toBeLessThan(2.2);
});

test("about an eighth comes out of stealth, and kinds of wins are spread as in the real game", () => {
  const stealthed = share(attacks, ({ stealthed }) => stealthed);
  expect(stealthed).toBeGreaterThan(0.07);
  expect(stealthed).toBeLessThan(0.14);
  const hospitalized = share(won, ({ result }) => result === "Hospitalized");
  expect(hospitalized).toBeGreaterThan(0.42);
  expect(hospitalized).toBeLessThan(0.48);
});

test("respect is the base of the level times all that is printed, a quarter of it is lost, and there is none without a win", () => {
  const wrong = attacks.filter(
    ({ result, defender, gain, loss, modifiers, defenderFaction, attackerFaction }) => {
      const product = Object.values(modifiers).reduce((sum, factor) => sum * factor, 1);
      const full = baseRespect(areas.world.playerAt(defender).level) * product;
      const due =
        !isWon(result) || (attackerFaction !== null && attackerFaction === defenderFaction)
          ? 0
          : full;
      const right = gain === 0 || Math.abs(gain - due) < 0.006;
      return !right || Math.abs(loss - (defenderFaction === null ? 0 : gain / 4)) > 0.006;
    },
  );
  expect(wrong).toEqual([]);
  expect(share(attacks, ({ result, gain }) => !isWon(result) && gain !== 0)).toBe(0);
  expect(share(won, ({ gain }) => gain > 0)).toBeGreaterThan(0.7);
});

test.each([
  [1_000, 1_000, 3],
  [1_000, 750, 3],
  [1_000, 375, 2],
  [1_000, 100, 1.27],
  [1_000, 1, 1],
  [4_000, 800, 1.53],
])("a score of %d against %d prints a fair fight of %d", (attacker, defender, printed) => {
  expect(printedFairFight(attacker, defender)).toBe(printed);
});

test("base respect goes from 1.00 at level 1 to 1.50 at level 100", () => {
  expect([1, 50, 100].map(baseRespect)).toEqual([1, 1.25, 1.5]);
});

test("a hit on somebody who beat one of ours less than five minutes before pays half as much again, and no other does", () => {
  for (const faction of factions.slice(0, 12)) {
    const list = ofFaction(faction, began, "ASC");
    for (const [place, fight] of list.entries()) {
      // The first minutes of the list may retaliate for fights before it.
      if (fight.attackerFaction !== faction || fight.ended < began + 300) continue;
      const cause = list
        .slice(0, place)
        .some(
          (before) =>
            before.attacker === fight.defender &&
            before.defenderFaction === faction &&
            isWon(before.result) &&
            !before.stealthed &&
            fight.ended - before.ended < 300,
        );
      expect([fight.code, fight.modifiers.retaliation]).toEqual([fight.code, cause ? 1.5 : 1]);
    }
  }
  expect(share(attacks, ({ modifiers }) => modifiers.retaliation > 1)).toBeGreaterThan(0.05);
});

test("both factions see the same fight with the same code", () => {
  const known = lists.map((list) => new Map(list.map((attack) => [attack.code, attack])));
  for (const attack of attacks) {
    for (const faction of new Set([attack.attackerFaction, attack.defenderFaction])) {
      if (faction !== null) expect(known[faction]?.get(attack.code)).toEqual(attack);
    }
  }
});

test("both players see the fight too", () => {
  for (const fight of attacks.slice(0, 300)) {
    for (const index of [fight.attacker, fight.defender]) {
      const own = [
        ...areas.fights.ofPlayer(index, { from: fight.ended, to: fight.ended, sort: "ASC" }, epoch),
      ];
      expect(own).toContainEqual(fight);
    }
  }
});

test("codes and ids are different for every fight, and nobody fights themself", () => {
  expect(new Set(attacks.map(({ id }) => id)).size).toBe(attacks.length);
  expect(
    attacks.every(({ code, id }) => /^[0-9a-f]{32}$/.test(code) && Number.isSafeInteger(id)),
  ).toBe(true);
  expect(
    attacks.every(
      ({ started, ended, attacker, defender }) => started < ended && attacker !== defender,
    ),
  ).toBe(true);
});

test("asked backwards, or in parts, or in another order, the past is the same", () => {
  const other = open();
  const codes = (list: readonly Attack[]) =>
    list.map(({ code, modifiers, gain }) => `${code} ${gain} ${modifiers.retaliation}`);
  for (const faction of [3, 0]) {
    const backwards = ofFaction(faction, began, "DESC", other);
    expect(codes(backwards.reverse())).toEqual(codes(ofFaction(faction, began, "ASC")));
  }
  expect(codes(ofFaction(3, began, "DESC", open(2)))).not.toEqual(codes(lists[3] ?? []));
});

test("eight days lie before the world's beginning, and nothing before those", () => {
  const everything = ofFaction(0, 0);
  const oldest = Math.min(...everything.map(({ ended }) => ended));
  expect(oldest).toBeGreaterThanOrEqual(second - 8 * day);
  expect(oldest).toBeLessThan(second - 7 * day);
  expect(Math.max(...everything.map(({ ended }) => ended))).toBeLessThanOrEqual(second);
});

test("the last hour of a faction takes milliseconds", () => {
  const readAll = () => {
    for (const faction of factions) ofFaction(faction, second - 3_600);
  };
  readAll();
  // Some 0.5 ms each when nothing has to be computed again.
  expect(processorTime(readAll) / factions.length).toBeLessThan(20);
});
