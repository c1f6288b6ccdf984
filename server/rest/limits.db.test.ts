import { describe, expect, test } from "vitest";
import {
  type DispatchWorld,
  kernelWorld,
  rate,
  type TestAnswer,
} from "#server/testing/dispatch-world";

const { clock, current } = await kernelWorld();

describe("rate limits", () => {
  const burst = async (
    count: number,
    call: Parameters<DispatchWorld["call"]>[1],
    path = "/api/v1/old",
  ) => {
    const answers: TestAnswer[] = [];
    for (let at = 0; at < count; at++) answers.push(await current.world.call(path, call));
    return answers;
  };

  test("as many calls pass as the limit says, over all endpoints; the next is 429 (RL-02)", async () => {
    const answers = await burst(7, { token: "all" });
    expect(answers.map((answer) => answer.status)).toEqual([204, 204, 204, 204, 204, 204, 429]);
    expect(answers.map((answer) => rate(answer)[1])).toEqual([5, 4, 3, 2, 1, 0, 0]);
    const last = answers[6];
    expect(last?.json).toMatchObject({ code: 4000, details: { policy: "holder" } });
    expect(last?.headers.get("retry-after")).toBe(last?.headers.get("x-ratelimit-reset"));
  });

  test("after a 429 the token costs no look-up until its window ends (RL-14, RL-03)", async () => {
    await burst(7, { token: "all" });
    const before = current.world.lookups();
    clock.advance(20);
    const refused = await current.world.call("/api/v1/old", { token: "all" });
    expect([refused.status, rate(refused), current.world.lookups()]).toEqual([
      429,
      [6, 0, 30],
      before,
    ]);
    expect((await current.world.call("/api/v1/nothing", { token: "all" })).status).toBe(404);
    clock.advance(30);
    expect(rate(await current.world.call("/api/v1/old", { token: "all" }))).toEqual([6, 5, 60]);
  });

  test("after a 429 of an endpoint's own limit its calls cost no look-up, and others are answered (RL-14)", async () => {
    const few = { token: "all", method: "POST" };
    expect((await burst(3, few, "/api/v1/few")).at(-1)?.status).toBe(429);
    const before = current.world.lookups();
    clock.advance(20);
    const refused = await current.world.call("/api/v1/few", few);
    expect([refused.status, rate(refused), current.world.lookups()]).toEqual([
      429,
      [2, 0, 30],
      before,
    ]);
    expect((await current.world.call("/api/v1/old", { token: "all" })).status).toBe(204);
    expect(current.world.lookups()).toBe(before + 1);
  });

  test("windows are clock minutes: full at the end of one, all pass again at the start of the next (RL-06)", async () => {
    clock.advance(49);
    const late = await burst(6, { token: "all" });
    clock.advance(1);
    const early = await burst(6, { token: "all" });
    expect(late.map((answer) => [answer.status, ...rate(answer)])).toEqual(
      [5, 4, 3, 2, 1, 0].map((remaining) => [204, 6, remaining, 1]),
    );
    expect(early.map((answer) => [answer.status, ...rate(answer)])).toEqual(
      [5, 4, 3, 2, 1, 0].map((remaining) => [204, 6, remaining, 60]),
    );
  });

  test("an endpoint's own limit binds it alone, both buckets are charged, and the headers tell of the tighter (RL-04)", async () => {
    const answers = await burst(3, { token: "all", method: "POST" }, "/api/v1/few");
    expect(answers.map((answer) => [answer.status, ...rate(answer).slice(0, 2)])).toEqual([
      [204, 2, 1],
      [204, 2, 0],
      [429, 2, 0],
    ]);
    expect(answers[2]?.json).toMatchObject({ details: { policy: "few" } });
    expect(rate(await current.world.call("/api/v1/old", { token: "all" })).slice(0, 2)).toEqual([
      6, 2,
    ]);
    expect((await current.world.call("/api/v1/few", { token: "all", method: "POST" })).status).toBe(
      429,
    );
  });

  test("holders are (account, application): two tokens of one share, another application does not", async () => {
    const first = current.world.know("a", { clientId: "one" });
    current.world.know("b", { clientId: "one", accountId: first.accountId });
    current.world.know("c", { clientId: "two", accountId: first.accountId });
    await burst(4, { token: "a" });
    expect(rate(await current.world.call("/api/v1/old", { token: "b" }))[1]).toBe(1);
    expect(rate(await current.world.call("/api/v1/old", { token: "c" }))[1]).toBe(5);
  });

  test("errors with a live token are charged to its holder (RL-01)", async () => {
    await current.world.call("/api/v1/nothing", { token: "all" });
    await current.world.call("/api/v1/old", { token: "all", method: "PUT" });
    await current.world.call("/api/v1/thing/0", { token: "all", method: "POST", body: "{" });
    expect(rate(await current.world.call("/api/v1/old", { token: "all" }))).toEqual([6, 2, 50]);
  });

  test("calls without a live token are charged to the peer; nobody else's bucket falls (RL-10)", async () => {
    const answers = [
      await current.world.call("/api/v1/thing/7"),
      await current.world.call("/api/v1/nothing"),
      await current.world.call("/api/v1/thing/7", { token: "dead" }),
      await current.world.call("/api/v1/thing/7", { method: "PUT" }),
      await current.world.call("/api/v1/nothing"),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([401, 404, 401, 405, 429]);
    expect(answers.map(rate).map(([limit, remaining]) => [limit, remaining])).toEqual([
      [4, 3],
      [4, 2],
      [4, 1],
      [4, 0],
      [4, 0],
    ]);
    expect(answers[4]?.json).toMatchObject({ details: { policy: "peer" } });
    // A live token is never refused for its address, and another address has a window of its own.
    expect((await current.world.call("/api/v1/old", { token: "all" })).status).toBe(204);
    expect(
      (await current.world.call("/api/v1/thing/7", { peer: { address: "192.0.2.2" } })).status,
    ).toBe(401);
  });

  test("the addresses of one IPv6 network share a peer window: who has one of them has them all (RL-10)", async () => {
    const from = async (address: string) =>
      (await current.world.call("/api/v1/old", { peer: { address } })).status;
    const statuses: number[] = [];
    for (let host = 1; host <= 5; host++) statuses.push(await from(`2001:db8:0:1::${host}`));
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
    expect(await from("2001:db8:0:2::1")).toBe(401);
  });

  test("preflights are neither counted nor limited, with a token and without (RL-11)", async () => {
    const origin = { origin: "https://app.test", "access-control-request-method": "POST" };
    const preflights = async () => [
      ...(await burst(10, { method: "OPTIONS", headers: origin }, "/api/v1/thing/7")),
      ...(await burst(10, { method: "OPTIONS", headers: origin, token: "all" }, "/api/v1/few")),
      ...(await burst(
        10,
        { method: "OPTIONS", headers: origin, token: "dead" },
        "/api/v1/nothing",
      )),
    ];
    const statuses = async () => [...new Set((await preflights()).map((answer) => answer.status))];

    expect(await statuses()).toEqual([204]);
    expect(current.world.lookups()).toBe(0);
    // Not counted: every window is as full as before them.
    expect((await burst(5, {})).map((answer) => [answer.status, rate(answer)[1]])).toEqual(
      [3, 2, 1, 0, 0].map((remaining, made) => [made < 4 ? 401 : 429, remaining]),
    );
    const few = await burst(3, { token: "all", method: "POST" }, "/api/v1/few");
    expect(few.map((answer) => [answer.status, rate(answer)[1]])).toEqual([
      [204, 1],
      [204, 0],
      [429, 0],
    ]);
    // Not limited: the windows that are used up now hold none of them up.
    expect(await statuses()).toEqual([204]);
  });

  test("a preflight is told what it may send, and for how long that holds", async () => {
    const headers = { origin: "https://app.test", "access-control-request-method": "POST" };
    const answer = await current.world.call("/api/v1/thing/7", { method: "OPTIONS", headers });
    expect(answer.headers.get("access-control-allow-methods")).toBe(
      "GET, HEAD, POST, DELETE, OPTIONS",
    );
    expect(answer.headers.get("access-control-allow-headers")).toContain("Idempotency-Key");
    expect(answer.headers.get("access-control-max-age")).toBe("600");
  });

  test("a preflight allows whatever headers it asks for, for tracing scripts add theirs (HD-07)", async () => {
    const asked = "authorization,baggage,sentry-trace,traceparent,x-datadog-trace-id";
    const preflight = (headers: string) =>
      current.world.call("/api/v1/thing/7", {
        method: "OPTIONS",
        headers: {
          ...{ origin: "https://app.test", "access-control-request-method": "POST" },
          "access-control-request-headers": headers,
        },
      });
    const { headers } = await preflight(asked);
    expect(headers.get("access-control-allow-headers")).toBe(asked);
    expect(headers.get("vary")).toContain("Access-Control-Request-Headers");
    const odd = await preflight('x"; <script>');
    expect(odd.headers.get("access-control-allow-headers")).not.toContain("script");
  });
});
