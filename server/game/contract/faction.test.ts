import { expect, test } from "vitest";
import {
  FactionBasic,
  FactionMembers,
  FactionNews,
  FactionPositions,
  MemberBalances,
} from "./faction";

const status = { description: "Okay", details: null, state: "Okay", color: "green", until: null };
const lastAction = { status: "Offline", timestamp: 1_767_225_600, relative: "1 day ago" };

test("a faction without leaders has none, not the player 0", () => {
  const basic = {
    id: 7001,
    name: "F",
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

test("a member row that cannot be read costs no other, and its id says who is still there", () => {
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
      lastAction: null,
      status: { description: "Okay", state: "Okay", until: null },
    },
  ]);
  const odd = FactionMembers.parse({ members: [row, { ...row, id: 43, level: "3" }, { id: 0 }] });
  expect(odd).toMatchObject([{ playerId: 42 }]);
  expect(odd.unreadable).toMatchObject({ rows: 2, ids: [43] });
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
  const odd = { name: "X", is_default: 1, abilities: [] };
  const read = FactionPositions.parse({ positions: [...positions, odd] });
  expect(read).toMatchObject([{ name: "Quartermaster" }]);
  expect(read.unreadable?.rows).toBe(1);
});

const row = { id: 42, username: "Somebody", money: 2 ** 53 - 1, points: 0 };

test("a balance is exact to the last coin, and a debt is told as one", () => {
  const balance = {
    faction: { money: 5, points: 6, scope: 1 },
    members: [row, { ...row, id: 43, money: -7 }],
  };
  expect(MemberBalances.parse({ basic: { id: 7001 }, balance })).toEqual({
    factionId: 7001,
    members: [
      { playerId: 42, money: 9_007_199_254_740_991, points: 0 },
      { playerId: 43, money: -7, points: 0 },
    ],
  });
});

test.each([
  ["more than a number holds exactly", 9007199254740993n],
  ["a fraction", 1.5],
  ["text", "5"],
  ["nothing", null],
])("a balance of %s is left out rather than rounded, and costs no other", (_, money) => {
  const members = [
    { ...row, money },
    { ...row, id: 43 },
  ];
  const read = MemberBalances.parse({ basic: { id: 7001 }, balance: { faction: null, members } });
  expect(read.members).toMatchObject([{ playerId: 43 }]);
  expect(read.members.unreadable?.ids).toEqual([42]);
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
