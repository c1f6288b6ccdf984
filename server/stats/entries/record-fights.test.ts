import { describe, expect, test } from "vitest";
import { fight, fighter } from "#server/testing/fights";
import { derivedScore, scoringFight } from "./record-fights";

const ours = { factionId: 7001 };
const member = fighter(1, 7001);
const enemy = fighter(2, 7002);
const outgoing = { attacker: member, defender: enemy };
const incoming = { attacker: enemy, defender: member };

describe("a fight tells a score", () => {
  test.each([
    { name: "an outgoing win", row: outgoing, side: "outgoing" },
    { name: "an incoming win", row: incoming, side: "incoming" },
    {
      name: "an outgoing win at the cap, as a bound",
      row: { ...outgoing, fairFight: 3 },
      side: "outgoing",
    },
    { name: "a win at 1.05", row: { ...outgoing, fairFight: 1.05 }, side: "outgoing" },
    {
      name: "a win over somebody without a faction",
      row: { ...outgoing, defender: fighter(2) },
      side: "outgoing",
    },
  ])("$name", ({ row, side }) => {
    const own = side === "outgoing" ? row.attacker : row.defender;
    expect(scoringFight(fight(row), ours)).toMatchObject({
      side,
      own,
      fairFight: fight(row).modifiers.fairFight,
    });
  });
});

describe("a fight tells nothing", () => {
  test.each([
    { name: "lost", row: { ...outgoing, result: "Lost" } },
    { name: "assisted", row: { ...outgoing, result: "Assist" } },
    { name: "with a result that nobody knows yet", row: { ...outgoing, result: "Charmed" } },
    { name: "against a fighter of the game's own", row: { ...outgoing, defender: fighter(15) } },
    { name: "from a stealthed attacker", row: { ...incoming, attacker: null } },
    { name: "without respect to us", row: { ...incoming, respectGain: 0 } },
    {
      name: "zero-respect outgoing hits make no entry (mistake 16)",
      row: { ...outgoing, respectGain: 0 },
    },
    { name: "at a fair fight of 1", row: { ...outgoing, fairFight: 1 } },
    { name: "at a fair fight that is mostly rounding", row: { ...outgoing, fairFight: 1.04 } },
    { name: "of an attacker at the cap", row: { ...incoming, fairFight: 3 } },
    { name: "within the faction", row: { ...outgoing, defender: fighter(2, 7001) } },
    { name: "between strangers", row: { attacker: enemy, defender: fighter(3, 7003) } },
  ])("$name", ({ row }) => {
    expect(scoringFight(fight(row), ours)).toBeNull();
  });
});

test("of a player's own fights the other side is told of, faction or not", () => {
  const row = fight({ attacker: fighter(1), defender: enemy });
  expect(scoringFight(row, { playerId: 1 })).toMatchObject({ side: "outgoing", target: enemy });
  expect(scoringFight(row, { playerId: 3 })).toBeNull();
});

test.each([
  { row: { ...outgoing, fairFight: 2 }, score: 375, lowerBound: false },
  { row: { ...incoming, fairFight: 2 }, score: 2_667, lowerBound: false },
  { row: { ...outgoing, fairFight: 3 }, score: 750, lowerBound: true },
])("from an own score of 1,000 the other's is $score", ({ row, score, lowerBound }) => {
  const telling = scoringFight(fight(row), ours);
  if (!telling) throw new Error("It tells nothing.");
  const told = derivedScore(telling, 1_000);
  expect(told).toMatchObject({ lowerBound });
  expect(told.score).toBeCloseTo(score, 9);
  expect(told.sigma).toBeCloseTo(0.005 / (row.fairFight - 1), 9);
});

test.each([
  { side: "outgoing", row: { ...outgoing, fairFight: 1.53 } },
  { side: "incoming", row: { ...incoming, fairFight: 1.53 } },
])(
  "an $side fight does not give our own side's score away: similar ones tell the same",
  ({ row }) => {
    const telling = scoringFight(fight(row), ours);
    if (!telling) throw new Error("It tells nothing.");
    const [told, alike] = [12_345.678, 12_346.9].map((own) => derivedScore(telling, own).score);
    expect(told).toBe(alike);
    expect(String(told).replace(/\.|0+$/g, "")).toMatch(/^\d{1,4}$/);
  },
);
