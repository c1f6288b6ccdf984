import { expect, test } from "vitest";
import type { Attack } from "#server/game/contract/attack";
import { canBeAnswered, isAnswer } from "./retaliation";

const ours = 7001;
const now = new Date("2026-03-01T12:05:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const none = { fairFight: 2, war: 1, retaliation: 1, overseas: 1 };
const fighter = (playerId: number, factionId: number | null): Attack["defender"] => ({
  playerId,
  name: `Player${playerId}`,
  level: 20,
  faction: factionId === null ? null : { factionId, name: "" },
});
const hit = (fields: Partial<Attack> = {}): Attack => ({
  code: "c0de",
  started: ago(90),
  ended: ago(60),
  attacker: fighter(9, 7002),
  defender: fighter(1003, ours),
  result: "Mugged",
  respectGain: 2.4,
  modifiers: none,
  ...fields,
});

test.each<[string, Partial<Attack>, boolean]>([
  ["a plain hit", {}, true],
  ["a hit by somebody without a faction", { attacker: fighter(9, null) }, true],
  ["any kind of win", { result: "Bounty" }, true],
  ["a hit of a war", { modifiers: { ...none, war: 2 } }, true],
  ["a hit abroad of a war", { modifiers: { ...none, war: 2, overseas: 1.25 } }, true],
  ["a hit abroad outside a war", { modifiers: { ...none, overseas: 1.25 } }, false],
  ["a hit of which the attacker is not known", { attacker: null }, false],
  ["a hit that won no respect", { respectGain: 0 }, false],
  ["a hit on somebody else", { defender: fighter(8, 7003) }, false],
  ["a hit on somebody without a faction", { defender: fighter(8, null) }, false],
  ["a hit on a fighter of the game", { defender: fighter(4, ours) }, false],
  ["a fight that we won", { result: "Lost" }, false],
  ["a fight that nobody won", { result: "Stalemate" }, false],
  ["help in another's fight", { result: "Assist" }, false],
  ["one of ours hitting out", { attacker: fighter(1003, ours), defender: fighter(9, 7002) }, false],
  ["a hit a second before the five minutes end", { ended: ago(299) }, true],
  ["a hit five minutes ago", { ended: ago(300) }, false],
])("can be answered: %s", (_, fields, expected) => {
  expect(canBeAnswered(hit(fields), ours, now)).toBe(expected);
});

const back = (fields: Partial<Attack> = {}): Attack =>
  hit({
    attacker: fighter(1002, ours),
    defender: fighter(9, 7002),
    result: "Hospitalized",
    modifiers: { ...none, retaliation: 1.5 },
    ...fields,
  });

test.each<[string, Partial<Attack>, boolean]>([
  ["a hit with the game's bonus for it", {}, true],
  ["any kind of win, not a hospitalization alone (game 7.11)", { result: "Attacked" }, true],
  ["a hit without the bonus", { modifiers: none }, false],
  ["a lost fight", { result: "Lost" }, false],
  ["another faction's hit", { attacker: fighter(8, 7003) }, false],
])("strikes back: %s", (_, fields, expected) => {
  expect(isAnswer(back(fields), ours)).toBe(expected);
});
