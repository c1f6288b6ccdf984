import { describe, expect, test } from "vitest";
import { dispatchWorld, kernelWorld, rate } from "#server/testing/dispatch-world";
import { kernelEndpoints, undeclared } from "#server/testing/kernel-endpoints";

const { clock, log, current } = await kernelWorld();

describe("answers that are kept or compared", () => {
  test("a kept answer serves everybody until its time is over, and says how long that is", async () => {
    const first = await current.world.call("/api/v1/kept", { token: "all" });
    clock.advance(30);
    const second = await current.world.call("/api/v1/kept?unknown=1", { token: "none" });
    expect(second.json).toBe(first.json);
    expect(first.headers.get("cache-control")).toBe("private, max-age=3600");
    expect(second.headers.get("cache-control")).toBe("private, max-age=3570");
    clock.advance(3_570);
    expect((await current.world.call("/api/v1/kept", { token: "all" })).json).toBe(
      Number(first.json) + 3_600,
    );
  });
  test("an ETag that the caller has is 304, which is charged and carries the rate headers", async () => {
    const first = await current.world.call("/api/v1/things", { token: "all" });
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const named of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await current.world.call("/api/v1/things", {
        token: "all",
        headers: { "if-none-match": named },
      });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
      expect(rate(again)[0]).toBe(6);
    }
    expect(
      (
        await current.world.call("/api/v1/things?before=4", {
          token: "all",
          headers: { "if-none-match": etag },
        })
      ).status,
    ).toBe(200);
  });
  test("a further page is named by the service's own address", async () => {
    const { headers } = await current.world.call("/api/v1/things?before=9&x=1", { token: "all" });
    expect(headers.get("link")).toBe(
      '<http://localhost:3000/api/v1/things?before=5&x=1>; rel="next"',
    );
  });
});

describe("faults", () => {
  test("an unforeseen one is a fixed sentence; the log alone knows more, and no value of it (ER-12)", async () => {
    const { json, headers } = await current.world.call("/api/v1/broken/bug", { token: "all" });
    expect(json).toEqual({
      code: 5000,
      name: "BackendError",
      message: expect.stringContaining("Quote the request id"),
    });
    expect(JSON.stringify(log.lines)).not.toContain(undeclared);
    expect(log.lines).toEqual([
      expect.objectContaining({
        level: "error",
        fields: expect.objectContaining({ requestId: headers.get("x-request-id") }),
      }),
    ]);
  });
  test("a record that does not fit its declaration is our fault, and is not sent", async () => {
    expect(
      (await current.world.call("/api/v1/broken/record", { token: "all" })).json,
    ).toMatchObject({ code: 5000 });
  });
  test("a database that is gone is 503 with Retry-After", async () => {
    const answer = await current.world.call("/api/v1/broken/database", { token: "all" });
    expect([answer.status, answer.headers.get("retry-after"), answer.json]).toEqual([
      503,
      "5",
      expect.objectContaining({ code: 5003 }),
    ]);
  });
  test("a database that is gone while the token is looked up is the same", async () => {
    const down = dispatchWorld(current.world.ctx, kernelEndpoints);
    Object.assign(down.ctx.tokens, {
      authenticate: () =>
        Promise.reject(
          new Error("x", { cause: Object.assign(new Error("y"), { code: "ECONNREFUSED" }) }),
        ),
    });
    const answer = await down.call("/api/v1/old", { token: "all" });
    expect([answer.status, rate(answer)]).toEqual([503, [4, 4, 50]]);
  });
  test("a failure of the game, and one of a rule, keep their own codes", async () => {
    const game = await current.world.call("/api/v1/broken/game", { token: "all" });
    expect([game.status, game.json]).toEqual([504, expect.objectContaining({ code: 4101 })]);
    const rule = await current.world.call("/api/v1/broken/rule", { token: "all" });
    expect([rule.status, rule.json]).toEqual([
      422,
      expect.objectContaining({ code: 1602, details: { message: "12 are missing" } }),
    ]);
  });
});
