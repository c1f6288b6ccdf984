import { describe, expect, test } from "vitest";
import { routes } from "./routes";
import { accessMatrix, missingFaction, type Role, roles } from "./testing/access-matrix";
import { copperTide, lanternwatch } from "./testing/banking-world";
import { testDatabase } from "./testing/database";
import type { TestAnswer } from "./testing/dispatch-world";
import { knownStranger } from "./testing/populated-world";

/**
 * Every endpoint, called in every relation to two factions, about the caller's own, the other and a
 * missing one. A cell is the status of a success, else the failure's code.
 */
const world = await accessMatrix(await testDatabase());
const { call, playerIds, request } = world;

const inWatch: readonly Role[] = ["banker", "member", "leader", "coLeader", "orphan"];
const inTide: readonly Role[] = ["mover", "outsider"];
const nowhere: readonly Role[] = ["leaver", "loner"];
/** Leaders, and holders of a banking ability in their present faction. */
const bankers: readonly Role[] = ["banker", "leader", "coLeader"];

const ownOf = (role: Role): number => (inTide.includes(role) ? copperTide : lanternwatch);
const otherOf = (role: Role): number => (inTide.includes(role) ? lanternwatch : copperTide);
const cellOf = ({ status, json }: TestAnswer): number =>
  status < 400 ? status : (json as { code: number }).code;

/** For members of a faction alone. */
const secrets = {
  [lanternwatch]:
    /hit-on-Watch|Watch_Defender|Watch Lookout|Watch was away|"stat_score":7001\b|131313|141414/,
  [copperTide]: /hit-on-Tide|Tide_Defender|Tide Lookout|Tide was away|"stat_score":7002\b|979797/,
};

/** No answer reveals data of another faction. */
function expectNothingForeign(role: Role, { text }: TestAnswer): void {
  for (const factionId of [lanternwatch, copperTide] as const)
    if (nowhere.includes(role) || ownOf(role) !== factionId)
      expect(text).not.toMatch(secrets[factionId]);
}

type Cells = Partial<Record<Role, number>> & { readonly others: number };
interface Row {
  readonly name: string;
  readonly covers: string;
  readonly ask: (role: Role, factionId: number) => Promise<TestAnswer>;
  /** The caller's own faction; Lanternwatch for callers without one. */
  readonly own: (role: Role) => number;
  readonly elsewhere?: (role: Role, exists: boolean) => number;
}

const without = (role: Role, otherwise: number) => (nowhere.includes(role) ? 1102 : otherwise);
const pick = (cells: Cells) => (role: Role) => without(role, cells[role] ?? cells.others);

const rows: Row[] = [
  {
    name: "retaliations",
    covers: "Get Faction Retaliations",
    ask: (role, id) => call(role, `/faction/${id}/attacks/retaliations`),
    own: pick({ others: 200 }),
  },
  {
    name: "delays",
    covers: "Get Organized Crime Delays",
    ask: (role, id) => call(role, `/faction/${id}/crime/delays`),
    own: pick({ others: 200 }),
  },
  {
    name: "delays around the other faction's crime",
    covers: "Get Organized Crime Delays",
    ask: (role, id) =>
      call(role, `/faction/${id}/crime/delays?before=1&after=${otherOf(role) * 10}`),
    own: pick({ others: 200 }),
  },
  {
    name: "own requests",
    covers: "List Vault Requests",
    ask: (role, id) => call(role, `/faction/${id}/banking?search_type=all`),
    own: pick({ others: 200 }),
  },
  {
    name: "own requests below another's, which exists in another faction (ID-13)",
    covers: "List Vault Requests",
    ask: (role, id) =>
      call(
        role,
        `/faction/${id}/banking?search_type=all&below=${world.foreign.id + 1}&before=${2 ** 33}`,
      ),
    own: pick({ others: 200 }),
  },
  {
    name: "the faction's requests (ID-04)",
    covers: "List Vault Requests",
    ask: (role, id) => call(role, `/faction/${id}/banking?scope=faction&search_type=all`),
    own: pick({ banker: 200, leader: 200, coLeader: 200, others: 4007 }),
  },
  {
    name: "asking for money",
    covers: "Create Faction Vault Request",
    ask: (role, id) =>
      call(role, `/faction/${id}/banking`, {
        method: "POST",
        body: { amount: 1, type: "points_balance" },
      }),
    own: pick({ mover: 1001, outsider: 1001, others: 200 }),
  },
  {
    name: "cancelling what does not exist",
    covers: "Cancel Faction Vault Request",
    ask: (role, id) => call(role, `/faction/${id}/banking/${2 ** 31 - 1}`, { method: "DELETE" }),
    own: pick({ others: 1600 }),
  },
  {
    name: "cancelling the other faction's request by number",
    covers: "Cancel Faction Vault Request",
    ask: (role, id) =>
      call(role, `/faction/${id}/banking/${elsewhereRequest(role).id}`, { method: "DELETE" }),
    own: pick({ others: 1600 }),
  },
  {
    name: "cancelling the other faction's request by guid",
    covers: "Cancel Faction Vault Request",
    ask: (role, id) =>
      call(role, `/faction/${id}/banking/${elsewhereRequest(role).guid}`, { method: "DELETE" }),
    own: pick({ others: 1600 }),
  },
  {
    name: "cancelling another member's request (ID-03)",
    covers: "Cancel Faction Vault Request",
    ask: async (role, id) => {
      const { guid } = await request(ownOf(role), 1_777_777, 5);
      return call(role, `/faction/${id}/banking/${guid}`, { method: "DELETE" });
    },
    own: pick({ banker: 204, leader: 204, coLeader: 204, others: 4007 }),
  },
  {
    name: "cancelling one's own request (ID-03)",
    covers: "Cancel Faction Vault Request",
    ask: async (role, id) => {
      const { id: number } = await request(ownOf(role), playerIds[role], 5);
      return call(role, `/faction/${id}/banking/${number}`, { method: "DELETE" });
    },
    own: pick({ others: 204 }),
  },
  ...["/faction", ""].map((prefix) => ({
    name: `members, below ${prefix || "the root"} (ID-08)`,
    covers: "Get Faction Members",
    ask: (role: Role, id: number) => call(role, `${prefix}/${id}/members`),
    own: () => 200,
    elsewhere: (_role: Role, exists: boolean) => (exists ? 200 : 1102),
  })),
];

/** A request of the other faction, if it has one. */
const elsewhereRequest = (role: Role) => (inTide.includes(role) ? world.moversOwn : world.foreign);

describe.each(rows)("$name", ({ ask, own, elsewhere }) => {
  test.each(roles)("asked by the %s", async (role) => {
    const mine = await ask(role, ownOf(role));
    expect(cellOf(mine)).toBe(own(role));
    expectNothingForeign(role, mine);

    const [other, missing] = [await ask(role, otherOf(role)), await ask(role, missingFaction)];
    const cell = (exists: boolean) => elsewhere?.(role, exists) ?? without(role, 4022);
    expect([cellOf(other), cellOf(missing)]).toEqual([cell(true), cell(false)]);
    // ER-16, ID-01: nothing shows whether a faction exists, or its contents.
    if (!elsewhere)
      expect([other.status, other.text, plain(other)]).toEqual([
        missing.status,
        missing.text,
        plain(missing),
      ]);
    for (const answer of [other, missing]) expectNothingForeign(role, answer);
  });
});

/** Without those that differ from call to call. */
const plain = ({ headers }: TestAnswer) =>
  [...headers].filter(([name]) => !["x-request-id", "x-ratelimit-remaining"].includes(name));

/** Endpoints without a faction in the path. */
const personal: {
  name: string;
  covers: string;
  path: string;
  body?: unknown;
  cell: (role: Role) => number;
}[] = [
  {
    ...{ name: "positions", covers: "Get Faction Positions", path: "/faction/positions" },
    cell: pick({ others: 200 }),
  },
  {
    ...{
      name: "vault balance",
      covers: "Get Faction Member Balance",
      path: "/faction/banking/vault",
    },
    cell: pick({ mover: 1201, outsider: 1201, others: 200 }),
  },
  {
    ...{
      name: "a score that two factions keep for themselves",
      covers: "Get User Historical Stats",
    },
    path: `/user/${knownStranger}/stat`,
    cell: (role) => (nowhere.includes(role) ? 1605 : 200),
  },
  {
    ...{
      name: "an estimate",
      covers: "Get User Stats Estimate",
      path: `/user/estimate/${world.people.member.playerId}`,
    },
    cell: () => 200,
  },
  {
    ...{ name: "chain list", covers: "Generate Chain List", path: "/stat/chain-list" },
    body: { limit: 250, maximum_difficulty: 100 },
    cell: (role) => (role in world.people ? 200 : 1604),
  },
  { name: "events", covers: "List Events", path: "/events?limit=100", cell: () => 200 },
  { name: "own user", covers: "Get User", path: "/user", cell: () => 200 },
  {
    name: "somebody",
    covers: "Get Specific User",
    path: `/user/${world.people.outsider.playerId}`,
    cell: () => 200,
  },
  {
    name: "crime names",
    covers: "Get Organized Crimes Names",
    path: "/faction/crime/names",
    cell: () => 200,
  },
  { name: "stocks", covers: "Get Stocks Data", path: "/stocks", cell: () => 200 },
  {
    name: "benefits",
    covers: "Get Stock Benefits Data",
    path: "/stocks/benefits",
    cell: () => 200,
  },
  { name: "movers", covers: "Get Stock Movers Data", path: "/stocks/movers", cell: () => 200 },
];

describe.each(personal)("$name", ({ path, body, cell }) => {
  test.each(roles)("asked by the %s", async (role) => {
    const answer = await call(role, path, body ? { method: "POST", body } : {});
    expect(cellOf(answer)).toBe(cell(role));
    expectNothingForeign(role, answer);
  });
});

test("the matrix leaves no endpoint out", () => {
  const covered = new Set([...rows, ...personal].map(({ covers }) => covers));
  expect(routes.map(({ title }) => title).filter((title) => !covered.has(title))).toEqual([]);
});

test("the secrets of a faction are there to be seen by its members, so that their absence elsewhere says something", async () => {
  for (const [role, marks] of [
    ["banker", ["hit-on-Watch", "Watch was away", "131313", '"stat_score":7001']],
    ["outsider", ["hit-on-Tide", "Tide was away", "979797", '"stat_score":7002']],
  ] as const) {
    const id = ownOf(role);
    const scope = bankers.includes(role) ? "faction" : "user";
    const paths = [
      ...[`/faction/${id}/attacks/retaliations`, `/faction/${id}/crime/delays`],
      ...[`/faction/${id}/banking?scope=${scope}`, `/user/${knownStranger}/stat`],
    ];
    const text = (await Promise.all(paths.map((path) => call(role, path))))
      .map((answer) => answer.text)
      .join();
    for (const mark of marks) expect(text).toContain(mark);
  }
});

test.each(roles)(
  "the %s is told of the hits on the faction that they were in when it was hit and are in now",
  async (role) => {
    const { text } = await call(role, "/events?limit=100");
    const watch = ["banker", "member", "leader", "coLeader", "orphan"].includes(role);
    expect([text.includes("hit-on-Watch"), text.includes("hit-on-Tide")]).toEqual([
      watch,
      role === "outsider",
    ]);
  },
);

describe("ID-14, §7 row 26: a player who leaves a faction", () => {
  test("can neither see nor cancel the request that they made there", async () => {
    for (const [role, own] of [
      ["leaver", world.leaversOwn],
      ["mover", world.moversOwn],
    ] as const) {
      const there = await call(role, `/faction/${lanternwatch}/banking/${own.id}`, {
        method: "DELETE",
      });
      expect([role, cellOf(there)]).toEqual([role, without(role, 4022)]);
      const here = await call(role, `/faction/${copperTide}/banking/${own.guid}`, {
        method: "DELETE",
      });
      expect([role, cellOf(here)]).toEqual([role, without(role, 1600)]);
    }
    const { json } = await call("mover", `/faction/${copperTide}/banking?search_type=all`);
    expect(JSON.stringify(json)).not.toContain("141414");
  });

  test("brings no position along, whatever it was called", async () => {
    for (const role of inTide)
      expect(await call(role, `/faction/${copperTide}/banking?scope=faction`)).toMatchObject({
        status: 403,
      });
    expect(inWatch).toHaveLength(5);
  });
});
