import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { vaultRequests } from "#db/schema/faction";
import { bankingWorld, copperTide, lanternwatch } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { cancelRequest, fulfilRequest } from "../request-acts";

const world = await bankingWorld(await testDatabase());
const { ctx, clock, people, api, ask } = world;
const on = ctx.database.query;
const path = `/faction/${lanternwatch}/banking`;
const seconds = (at: Date | null) => at && Math.floor(at.getTime() / 1_000);

interface Row {
  id: number;
  user_id: number;
  status: string;
}
const list = async (role: string, query = "") => (await api(role, `${path}${query}`)).json as Row[];
const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

/** Rows as they stand in the table, for lists longer than the rules would let one make at once. */
async function store(count: number, fields: Partial<typeof vaultRequests.$inferInsert> = {}) {
  const rows = Array.from({ length: count }, () => ({
    ...{
      guid: ctx.ids.uuid(),
      factionId: lanternwatch,
      playerId: people.member.playerId,
      amount: 1,
    },
    ...{ currency: "money_balance" as const, status: "pending" as const, requestedAt: clock.now() },
    ...fields,
  }));
  return (await on.insert(vaultRequests).values(rows).returning()).map(({ id }) => id);
}

/** Follows the next links to their end. */
async function pages(role: string, query: string): Promise<number[][]> {
  const found: number[][] = [];
  let next: string | undefined = `${path}${query}`;
  while (next) {
    const answer = await api(role, next);
    found.push(idsOf(answer.json as Row[]));
    const link = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1];
    next = link?.replace(`${ctx.settings.baseUrl}/api/v1`, "");
    if (found.length > 50) throw new Error("The links lead in a circle.");
  }
  return found;
}

beforeEach(async () => {
  await on.delete(vaultRequests);
  world.nextMinute();
});

test("a row is the vault request with status, times and who closed it", async () => {
  const expiresAt = new Date(clock.now().getTime() + 3_600_000);
  const { id, guid, requestedAt } = await ask({ amount: 5, currency: "points_balance", expiresAt });
  expect(await list("member")).toEqual([
    {
      ...{
        id,
        guid,
        user_id: people.member.playerId,
        faction_id: lanternwatch,
        amount: 5,
        type: "points_balance",
      },
      ...{ expires_at: seconds(expiresAt), requested_at: seconds(requestedAt) },
      ...{ status: "pending", closed_at: null, closed_by: null },
    },
  ]);
});

describe("search_type", () => {
  test("pending by default; all shows what became of each, also under the alias type", async () => {
    const [open, cancelled, paid] = [await ask(), await ask(), await ask()];
    const expired = await ask({ expiresAt: new Date(clock.now().getTime() + 1_000) });
    clock.advance(1);
    const named = { factionId: lanternwatch, request: String(cancelled.id) };
    await cancelRequest(ctx, people.member, named);
    await fulfilRequest(ctx, people.banker, { request: paid.guid });
    expect(idsOf(await list("member"))).toEqual([open.id]);
    expect(idsOf(await list("member", "?search_type=pending&type=all"))).toEqual([open.id]);
    for (const query of ["?search_type=all", "?type=all"]) {
      const rows = await list("member", query);
      expect(rows).toMatchObject([
        // Expired: cancelled by the system at that time, swept or not.
        {
          id: expired.id,
          status: "cancelled",
          closed_at: seconds(expired.expiresAt),
          closed_by: null,
        },
        {
          id: paid.id,
          status: "fulfilled",
          closed_at: seconds(clock.now()),
          closed_by: people.banker.playerId,
        },
        { id: cancelled.id, status: "cancelled", closed_by: people.member.playerId },
        { id: open.id, status: "pending", closed_at: null },
      ]);
    }
  });
});

describe("scope", () => {
  test("§7 row 43 and ID-13: user shows one's own alone, whatever else is asked", async () => {
    await ask({}, "banker");
    const own = await ask();
    const before = seconds(clock.now());
    for (const query of [
      "",
      "?scope=user",
      `?before=${before}&user_id=${people.banker.playerId}`,
      "?search_type=all",
    ])
      expect(idsOf(await list("member", query))).toEqual([own.id]);
  });

  test("ID-04: faction is 4007 for a plain member, and everybody's for a banker", async () => {
    const rows = [await ask(), await ask({}, "banker"), await ask({}, "developer")].map(
      ({ id }) => id,
    );
    expect(await api("member", `${path}?scope=faction`)).toMatchObject({
      status: 403,
      json: { code: 4007 },
    });
    expect(await api("developer", `${path}?scope=faction`)).toMatchObject({
      status: 403,
      json: { code: 4007 },
    });
    expect(idsOf(await list("banker", "?scope=faction"))).toEqual(rows.reverse());
  });

  test("ID-01: another faction's list is 4022 for everybody else, without a faction 1102 (BR-11)", async () => {
    await store(1, { factionId: copperTide, playerId: people.outsider.playerId });
    for (const query of ["", "?scope=faction"]) {
      expect((await api("banker", `/faction/${copperTide}/banking${query}`)).json).toMatchObject({
        code: 4022,
      });
      expect((await api("loner", `${path}${query}`)).json).toMatchObject({ code: 1102 });
    }
    expect(await list("banker", "?scope=faction")).toEqual([]);
  });
});

describe("FZ-04 and FZ-10: bad values are 1000", () => {
  test.each([
    ...[
      "limit=0",
      "limit=101",
      "limit=-1",
      "limit=1.5",
      "limit=abc",
      "limit=",
      "limit=1e1",
      "limit=1&limit=100",
    ],
    ...[
      "search_type=open",
      "search_type=",
      "search_type=ALL",
      "type=1",
      "scope=all",
      "scope=User",
      "scope=user&scope=user",
    ],
    ...[
      "before=-1",
      "before=soon",
      "before=1.5",
      "before=9007199254740992",
      "before=253402214401",
      "below=0",
      "below=x",
      "below=2147483648",
      ...[
        "before=1_",
        "before=_1",
        "before=1_-1",
        "before=1_1_1",
        "before=a_1",
        "before=1_2147483648",
      ],
      ...["before=253402214400001_1", "before=1_1&before=1_1", "before=%2B1_1"],
    ],
  ])("%s", async (query) => {
    expect(await api("banker", `${path}?${query}`)).toMatchObject({
      status: 400,
      json: { code: 1000 },
    });
  });

  test("limit[]=1 and names of prototypes (FZ-07) are parameters that nobody knows", async () => {
    await store(2);
    expect(await list("member", "?limit[]=1&__proto__=1&constructor.prototype=1")).toHaveLength(2);
  });
});

describe("before", () => {
  test("§7 row 44: is a time, inclusive to its last millisecond", async () => {
    const second = new Date(clock.now().getTime() - (clock.now().getTime() % 1_000));
    const at = (ms: number) => store(1, { requestedAt: new Date(second.getTime() + ms) });
    const [[early], [late], [after]] = [await at(0), await at(999), await at(1_000)];
    expect(idsOf(await list("member", `?before=${seconds(second)}`))).toEqual([late, early]);
    expect(idsOf(await list("member"))).toEqual([after, late, early]);
    expect(await list("member", `?before=${(seconds(second) ?? 0) - 1}`)).toEqual([]);
    expect(await list("member", "?before=253402214400")).toHaveLength(3);
    expect(await list("member", "?before=0")).toEqual([]);
  });
});

describe("pages", () => {
  test("hold a hundred where nothing else is said, and name the next", async () => {
    const ids = await store(101);
    const found = await pages("member", "");
    expect(found.map((page) => page.length)).toEqual([100, 1]);
    expect(found.flat()).toEqual(ids.reverse());
  });

  test("of requests of one moment lose and repeat nothing, whatever the limit", async () => {
    const ids = (await store(23)).reverse();
    clock.advance(1);
    const newer = (await store(5)).reverse();
    for (const limit of [1, 3, 7, 28, 100])
      expect((await pages("banker", `?scope=faction&limit=${limit}`)).flat()).toEqual([
        ...newer,
        ...ids,
      ]);
  });

  test("stay whole while new requests come and old ones close, and keep the other parameters", async () => {
    const ids = (await store(6)).reverse();
    const first = await api("member", `${path}?limit=2&search_type=pending`);
    const next = /^<([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    expect(next).toBe(
      `${ctx.settings.baseUrl}/api/v1${path}?limit=2&search_type=pending&before=${clock.now().getTime()}_${ids[1]}`,
    );
    clock.advance(1);
    await store(3);
    await cancelRequest(ctx, people.member, { factionId: lanternwatch, request: String(ids[1]) });
    const second = await api("member", next.replace(`${ctx.settings.baseUrl}/api/v1`, ""));
    expect(idsOf(second.json as Row[])).toEqual(ids.slice(2, 4));
  });

  test("of 1,000 requests within one second are turned by before alone, with what the link holds", async () => {
    const second = clock.now().getTime() - (clock.now().getTime() % 1_000);
    const rows: { id: number; at: number }[] = [];
    for (let ms = 0; ms < 1_000; ms += 100) {
      const requestedAt = new Date(second + ms);
      rows.push(...(await store(100, { requestedAt })).map((id) => ({ id, at: second + ms })));
    }
    const expected = rows.sort((a, b) => b.at - a.at || b.id - a.id).map(({ id }) => id);
    const seen: number[] = [];
    let before: string | null = String(second / 1_000);
    for (let pages = 0; before !== null && pages < 20; pages++) {
      const answer = await api("banker", `${path}?scope=faction&limit=70&before=${before}`);
      seen.push(...idsOf(answer.json as Row[]));
      const link = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1];
      before = link === undefined ? null : new URL(link).searchParams.get("before");
    }
    expect(seen).toEqual(expected);
  });

  test("go on where they were though the request that ended a page is gone", async () => {
    const ids = (await store(5)).reverse();
    const first = await api("member", `${path}?limit=2`);
    const next = /^<([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    await on.delete(vaultRequests).where(eq(vaultRequests.id, ids[1] ?? 0));
    const second = await api("member", next.replace(`${ctx.settings.baseUrl}/api/v1`, ""));
    expect(idsOf(second.json as Row[])).toEqual(ids.slice(2, 4));
  });

  test("are turned by below as well", async () => {
    const ids = (await store(3)).reverse();
    expect(await list("member", `?below=${ids[1]}`)).toMatchObject([{ id: ids[2] }]);
  });

  test("are not found by another faction's request", async () => {
    await store(2);
    const [foreign] = await store(1, { factionId: copperTide });
    expect(await list("member", `?below=${foreign}`)).toEqual([]);
    const own = await list("member", `?before=${clock.now().getTime()}_${foreign}`);
    expect(own).toHaveLength(2);
  });

  test("the last one names no other", async () => {
    await store(2);
    expect((await api("member", `${path}?limit=2`)).headers.get("link")).toBeNull();
  });
});

test("an unchanged list is not sent again to who has it; a change of state is", async () => {
  const { id } = await ask();
  const etag = (await api("member", `${path}?search_type=all`)).headers.get("etag") ?? "";
  const again = () =>
    api("member", `${path}?search_type=all`, { headers: { "if-none-match": etag } });
  expect((await again()).status).toBe(304);
  await fulfilRequest(ctx, people.banker, { request: String(id) });
  expect((await again()).status).toBe(200);
});
