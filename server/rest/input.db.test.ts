import { describe, expect, test } from "vitest";
import { kernelWorld } from "#server/testing/dispatch-world";

const { current } = await kernelWorld();

describe("what a call brings along", () => {
  test("every bad field of the query is named (ER-06)", async () => {
    const { json, status } = await current.world.call("/api/v1/thing/7?limit=0&deep=yes", {
      token: "all",
    });
    expect([status, json]).toEqual([
      400,
      expect.objectContaining({
        code: 1000,
        details: {
          message: expect.stringMatching(/: limit, deep\.$/),
          errors: [
            expect.objectContaining({ field: "limit" }),
            { field: "deep", message: "must be true or false" },
          ],
        },
      }),
    ]);
  });
  test("a field is named once, however much is wrong with it", async () => {
    const query = "limit=9007199254740993";
    const { json } = await current.world.call(`/api/v1/thing/7?${query}`, { token: "all" });
    expect(json).toMatchObject({
      message: expect.stringMatching(/: limit\.$/),
      details: { errors: [{ field: "limit" }] },
    });
  });
  test.each(["limit=1&limit=100", "limit=", "limit=1.5", "limit=abc", "limit=101", "limit=%00"])(
    "%s is refused (FZ-04, FZ-10)",
    async (query) => {
      expect((await current.world.call(`/api/v1/thing/7?${query}`, { token: "all" })).status).toBe(
        400,
      );
    },
  );
  test.each(["limit[]=1", "x=1&x=2", "__proto__=1&constructor=2", "%zz=%zz"])(
    "%s is ignored (FZ-07)",
    async (query) => {
      expect((await current.world.call(`/api/v1/thing/7?${query}`, { token: "all" })).status).toBe(
        200,
      );
    },
  );
  test("every bad field of the body is named, unknown ones are ignored", async () => {
    const post = (body: unknown) =>
      current.world.call("/api/v1/thing/7", { token: "all", method: "POST", body });
    expect((await post({ id: "1", note: 5, other: 1 })).json).toMatchObject({
      details: { errors: [{ field: "id" }, { field: "note" }] },
    });
    expect((await post("[1]")).json).toMatchObject({ details: { errors: [{ field: "body" }] } });
    expect((await post("{")).json).toMatchObject({
      details: { errors: [{ field: "body", message: "not JSON" }] },
    });
    expect((await post(undefined)).json).toMatchObject({
      details: { errors: [{ field: "body", message: "is missing" }] },
    });
  });
  test("an integer beyond 2^53 comes back digit for digit", async () => {
    const { text } = await current.world.call("/api/v1/thing/7", {
      token: "all",
      method: "POST",
      body: '{"id":9007199254740993,"until":1767225600}',
    });
    expect(text).toBe('{"id":9007199254740993,"at":1767225600,"name":""}');
  });
  test("a body in a coding that nobody undoes is refused as such, and not as broken text", async () => {
    const sent = { token: "all", method: "POST", body: '{"id":1}' };
    for (const [coding, status] of [
      ["gzip", 415],
      ["br, identity", 415],
      ["identity", 200],
    ] as const) {
      const headers = { "content-type": "application/json", "content-encoding": coding };
      const answer = await current.world.call("/api/v1/thing/7", { ...sent, headers });
      expect([coding, answer.status]).toEqual([coding, status]);
      if (status === 415)
        expect(answer.json).toMatchObject({
          code: 4013,
          message: expect.stringContaining("coding"),
        });
    }
  });
  test("a body that is no UTF-8 or has no type is refused (ER-05)", async () => {
    const request = { token: "all", method: "POST" };
    expect(
      (
        await current.world.call("/api/v1/thing/7", {
          ...request,
          body: "{}",
          headers: { "content-type": "text/json" },
        })
      ).status,
    ).toBe(415);
    expect(
      (
        await current.world.call("/api/v1/thing/7", {
          ...request,
          body: '{"id":1}',
          headers: { "content-type": "Application/JSON; charset=utf-8" },
        })
      ).status,
    ).toBe(200);
  });
  test("a GET may have a body, which the mount hands over (ER-07)", async () => {
    const peer = (body?: string) => ({
      address: "192.0.2.1",
      ...(body !== undefined && { body: Buffer.from(body) }),
    });
    const headers = { "content-type": "application/json" };
    expect((await current.world.call("/api/v1/delays", { token: "all", peer: peer() })).json).toBe(
      100,
    );
    expect(
      (
        await current.world.call("/api/v1/delays", {
          token: "all",
          headers,
          peer: peer('{"limit":5}'),
        })
      ).json,
    ).toBe(5);
    expect(
      (await current.world.call("/api/v1/delays", { token: "all", peer: peer('{"limit":5}') }))
        .status,
    ).toBe(415);
    const latin = { address: null, body: Buffer.from('{"limit":5,"é":1}', "latin1") };
    expect(
      (await current.world.call("/api/v1/delays", { token: "all", headers, peer: latin })).json,
    ).toMatchObject({
      message: "The request's body is not UTF-8.",
    });
    expect(
      (
        await current.world.call("/api/v1/delays", {
          token: "all",
          headers,
          peer: { address: null, oversized: true },
        })
      ).status,
    ).toBe(413);
  });
});
