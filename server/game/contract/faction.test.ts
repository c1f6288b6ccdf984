import { expect, test } from "vitest";
import {
  FactionBalance,
  FactionBasic,
  FactionMembers,
  FactionNews,
  FactionPositions,
} from "./faction";

const status = { description: "Okay", details: null, state: "Okay", color: "green", until: null };
const lastAction = { status: "Offline", timestamp: 1_767_225_600, relative: "1 day ago" };

test("a faction without leaders has none, not the player 0", () => {
  const basic = {
    id: 7001,
    name: "F",
    tag: "",
    leader_id: 0,
    co_leader_id: 0,
    members: 1,
    capacity: 5,
    respect: 0,
  };
  expect(FactionBasic.parse({ basic })).toMatchObject({
    factionId: 7001,
    leaderId: null,
    coLeaderId: null,
  });
});

test("one wrong member row refuses the whole list: half a list would look like people leaving", () => {
  const row = {
    id: 42,
    name: "Somebody",
    position: "Recruit",
    level: 3,
    days_in_faction: 0,
    is_in_oc: false,
    last_action: { ...lastAction, timestamp: 0 },
    status,
  };
  expect(FactionMembers.parse({ members: [row] })).toEqual([
    {
      playerId: 42,
      name: "Somebody",
      position: "Recruit",
      level: 3,
      lastAction: { status: "Offline", at: null },
      status: { description: "Okay", state: "Okay", until: null },
    },
  ]);
  expect(FactionMembers.safeParse({ members: [row, { ...row, id: 0 }] }).success).toBe(false);
});

test("a member without a level or a name is a member", () => {
  const row = {
    id: 42,
    name: "",
    position: "Recruit",
    level: null,
    last_action: lastAction,
    status,
  };
  expect(FactionMembers.parse({ members: [row] })).toMatchObject([
    { playerId: 42, name: "", level: null },
  ]);
});

test("a position keeps abilities that nobody here knows yet", () => {
  const positions = [
    { name: "Quartermaster", is_default: false, abilities: ["Money Giving", "Kite Flying"] },
  ];
  expect(FactionPositions.parse({ positions })).toEqual([
    { name: "Quartermaster", isDefault: false, abilities: ["Money Giving", "Kite Flying"] },
  ]);
  expect(
    FactionPositions.safeParse({ positions: [{ name: "X", is_default: 1, abilities: [] }] })
      .success,
  ).toBe(false);
});

const row = { id: 42, username: "Somebody", money: 2 ** 53 - 1, points: 0 };

test("a balance is exact to the last coin, and a debt is told as one", () => {
  const balance = {
    faction: { money: 5, points: 6, scope: 1 },
    members: [row, { ...row, id: 43, money: -7 }],
  };
  expect(FactionBalance.parse({ basic: { id: 7001 }, balance })).toEqual({
    factionId: 7001,
    money: 5,
    points: 6,
    members: [
      { playerId: 42, name: "Somebody", money: 9_007_199_254_740_991, points: 0 },
      { playerId: 43, name: "Somebody", money: -7, points: 0 },
    ],
  });
});

test.each([
  ["more than a number holds exactly", 9007199254740993n],
  ["a fraction", 1.5],
  ["text", "5"],
  ["nothing", null],
])("a balance of %s is refused rather than rounded", (_, money) => {
  const balance = { faction: { money: 0, points: 0 }, members: [{ ...row, money }] };
  expect(FactionBalance.safeParse({ basic: { id: 7001 }, balance }).success).toBe(false);
});

test("news keeps its HTML as it was sent, and its id as text", () => {
  const news = [
    { id: "0a1b", text: '<a href="?XID=1">A</a> was given $5 by B', timestamp: 1_767_225_600 },
  ];
  expect(
    FactionNews.parse({ basic: { id: 7001 }, news, _metadata: { links: { next: null } } }),
  ).toEqual({
    factionId: 7001,
    news: [
      {
        newsId: "0a1b",
        text: '<a href="?XID=1">A</a> was given $5 by B',
        at: new Date(1_767_225_600_000),
      },
    ],
  });
});
