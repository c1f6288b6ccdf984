import { expect, test } from "vitest";
import { everyAbility } from "../contract";
import { isBanker, mayFulfil, membershipOf } from "./membership";
import type { MembershipRow } from "./store";

const then = new Date("2026-03-01T12:00:00Z");
const later = new Date("2026-03-01T12:05:00Z");

const row = (fields: Partial<MembershipRow>): MembershipRow => ({
  playerId: 1,
  factionId: 7,
  factionSeen: then,
  positionName: "Member",
  factionApiAccess: false,
  factionName: "Lanternwatch",
  leaderId: null,
  coLeaderId: null,
  leadersSeen: then,
  positionsRefreshed: then,
  abilities: [],
  decidesAccess: null,
  ...fields,
});

const may = (fields: Partial<MembershipRow>) => {
  const member = membershipOf(row(fields));
  return [
    isBanker(member),
    member !== null && mayFulfil(member, "money_balance"),
    member !== null && mayFulfil(member, "points_balance"),
  ];
};

test.each<[string, Partial<MembershipRow>, boolean[]]>([
  ["Money Giving", { abilities: ["Money Giving"] }, [true, true, false]],
  ["Points Giving", { abilities: ["Points Giving"] }, [true, false, true]],
  ["Balance Adjustment", { abilities: ["Balance Adjustment"] }, [true, true, true]],
  [
    "any other ability",
    { abilities: ["Item Giving", "Faction API Access"] },
    [false, false, false],
  ],
  [
    "the position Leader, of which nothing is stored",
    { positionName: "Leader", abilities: null },
    [true, true, true],
  ],
  ["the position Co-leader", { positionName: "Co-leader", abilities: null }, [true, true, true]],
  ["being named leader by the faction", { leaderId: 1, abilities: null }, [true, true, true]],
  ["being named co-leader by the faction", { coLeaderId: 1 }, [true, true, true]],
  ["another's leadership", { leaderId: 2, coLeaderId: 3 }, [false, false, false]],
  ["a position that vanished", { positionName: "Banker", abilities: null }, [false, false, false]],
  [
    "no faction, whatever else a row says",
    { factionId: null, positionName: "Leader", leaderId: 1, abilities: ["Money Giving"] },
    [false, false, false],
  ],
])("who is a banker, may pay money, may pay points: %s", (_, fields, expected) => {
  expect(may(fields)).toEqual(expected);
});

test("a leader who was seen in a lower position since the faction was last read leads no more", () => {
  expect(membershipOf(row({ leaderId: 1, factionSeen: later }))?.leader).toBe(false);
  expect(membershipOf(row({ leaderId: 1, factionSeen: later, leadersSeen: later }))?.leader).toBe(
    true,
  );
});

test("a leader has every ability", () => {
  expect(membershipOf(row({ positionName: "Leader" }))?.abilities).toEqual(everyAbility);
  expect(everyAbility).toHaveLength(22);
});

test.each<[string, Partial<MembershipRow>, boolean]>([
  [
    "the game's word alone, before positions were read",
    { positionsRefreshed: null, abilities: null },
    true,
  ],
  ["a position that grants it", { abilities: ["Faction API Access"] }, true],
  ["a position that does not grant it any more", { abilities: ["Money Giving"] }, false],
  ["a position that vanished", { abilities: null }, false],
  ["leading", { positionName: "Leader", abilities: null }, true],
  ["no faction", { factionId: null }, false],
])("faction API access hangs on %s", (_, fields, expected) => {
  expect(membershipOf(row({ factionApiAccess: true, ...fields }))?.factionApiAccess ?? false).toBe(
    expected,
  );
});

test("a position alone gives no API access where the game denied it to the player", () => {
  expect(membershipOf(row({ abilities: ["Faction API Access"] }))?.factionApiAccess).toBe(false);
});
