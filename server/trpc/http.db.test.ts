import { eq } from "drizzle-orm";
import superjson from "superjson";
import { describe, expect, test } from "vitest";
import { sessions } from "#db/schema/accounts";
import { applications } from "#db/schema/oauth";
import { readSession } from "#server/auth/sessions";
import { portalRouter } from "#server/portal/router";
import { testDatabase } from "#server/testing/database";
import { applicationInput } from "#server/testing/oauth-world";
import { portalScript } from "#server/testing/portal-script";
import { testContext } from "#server/testing/test-context";
import { testSource } from "#server/testing/world";

const { ctx } = await testContext({ database: await testDatabase() });
const { baseUrl } = ctx.settings;
const { own, signedIn, send, query, mutate } = portalScript(ctx, portalRouter);
const application = applicationInput();

describe("who calls", () => {
  test("is told by the session cookie alone; a bearer token means nothing (BR-14)", async () => {
    const { token, headers } = await signedIn();
    expect((await query("session.list", { authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await query("session.list", { cookie: headers.cookie })).status).toBe(200);
  });
});

describe("a mutation (PT-13)", () => {
  test("from the portal's own script is carried out", async () => {
    const { headers, token } = await signedIn();
    expect((await mutate("session.signOut", headers)).status).toBe(200);
    expect(await readSession(ctx, token, testSource)).toBeNull();
  });

  test.each<[string, number, Record<string, string>]>([
    [
      "a text form of another site",
      415,
      { "content-type": "text/plain", origin: "https://evil.test" },
    ],
    ["a urlencoded form", 415, { "content-type": "application/x-www-form-urlencoded" }],
    ["a multipart form", 415, { "content-type": "multipart/form-data; boundary=x" }],
    ["a made-up type", 415, { "content-type": "application/jsonp" }],
    ["no type", 415, { "content-type": "" }],
    ["another origin", 403, { origin: "https://evil.test" }],
    ["an opaque origin", 403, { origin: "null" }],
    ["no origin at all", 403, { origin: "", "sec-fetch-site": "" }],
    [
      "a cross-site request that hides its origin",
      403,
      { origin: "", "sec-fetch-site": "cross-site" },
    ],
    ["a neighbour of the same domain", 403, { "sec-fetch-site": "same-site" }],
    ["no token", 403, { "x-csrf-token": "" }],
    ["a wrong token", 403, { "x-csrf-token": "A".repeat(43) }],
  ])("by %s changes nothing", async (_what, status, changed) => {
    const { headers, accountId } = await signedIn();
    const all = Object.entries({ ...own, ...headers, ...changed }).filter(
      ([, value]) => value !== "",
    );
    const body = JSON.stringify(superjson.serialize(application));
    const request = new Request(`${baseUrl}/api/trpc/applications.create`, {
      method: "POST",
      headers: all,
      body,
    });
    // A Request sets a content type for a text body.
    if (changed["content-type"] === "") request.headers.delete("content-type");
    expect((await send(request)).status).toBe(status);
    const made = await ctx.database.query
      .select()
      .from(applications)
      .where(eq(applications.ownerId, accountId));
    expect(made).toEqual([]);
  });

  test("with the token of another session is refused", async () => {
    const mine = await signedIn();
    const other = await signedIn();
    const mixed = { ...mine.headers, "x-csrf-token": other.headers["x-csrf-token"] };
    expect((await mutate("session.endOthers", mixed)).status).toBe(403);
  });

  test("cannot be sent by GET, nor a query by POST", async () => {
    const { headers, token } = await signedIn();
    expect((await query("session.signOut", headers)).status).toBe(405);
    expect(await readSession(ctx, token, testSource)).not.toBeNull();
    expect((await mutate("session.list", headers)).status).toBe(405);
  });

  test("cannot hide in a batch of queries", async () => {
    const { headers, token } = await signedIn();
    const asked = `?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: superjson.serialize(null) }))}`;
    await send(
      new Request(`${baseUrl}/api/trpc/session.list,session.signOut${asked}`, { headers }),
    );
    expect(await readSession(ctx, token, testSource)).not.toBeNull();
  });

  test.each([1, 2, 21])("does nothing in a batch of %i", async (length) => {
    const { headers, token } = await signedIn();
    const paths = Array.from({ length }, () => "session.signOut").join(",");
    const body = JSON.stringify(
      Object.fromEntries(Array.from({ length }, (_, index) => [index, { json: null }])),
    );
    const request = new Request(`${baseUrl}/api/trpc/${paths}?batch=1`, {
      method: "POST",
      headers: { ...own, ...headers },
      body,
    });
    expect((await send(request)).status).toBe(400);
    expect(await readSession(ctx, token, testSource)).not.toBeNull();
  });

  test("names a session with text that the database can hold, or is refused (FZ-09)", async () => {
    const { headers } = await signedIn();
    for (const id of ["\u0000", "\ud800", "", "x".repeat(65)])
      expect([id, (await mutate("session.end", headers, { id })).status]).toEqual([id, 400]);
  });

  test("that breaks off on its way is not answered as the server's own fault", async () => {
    const { headers } = await signedIn();
    const body = new ReadableStream({ pull: (stream) => stream.error(new Error("gone")) });
    const request = new Request(`${baseUrl}/api/trpc/session.signOut`, {
      method: "POST",
      headers: { ...own, ...headers },
      body,
      ...{ duplex: "half" },
    });
    await expect(send(request)).rejects.toThrow("gone");
  });

  test("over 256 KB is refused unread", async () => {
    const { headers } = await signedIn();
    expect(
      (await mutate("applications.create", headers, { name: "x".repeat(256 * 1024) })).status,
    ).toBe(413);
  });
});

test("an input that says of thousands of its values what they are is refused", async () => {
  const { headers } = await signedIn();
  const values = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [index, ["Date"]]));
  const body = JSON.stringify({ json: {}, meta: { values } });
  const request = new Request(`${baseUrl}/api/trpc/session.end`, {
    method: "POST",
    headers: { ...own, ...headers },
    body,
  });
  expect((await send(request)).status).toBe(400);
});

describe("a query", () => {
  test("asked by another site's script is refused", async () => {
    const { headers } = await signedIn();
    expect(
      (await query("session.list", { ...headers, "sec-fetch-site": "cross-site" })).status,
    ).toBe(403);
  });

  test("is neither cached nor sniffed nor embedded, and opens to no other origin (HD-03, HD-07)", async () => {
    const { headers } = await query("session.current", { origin: baseUrl });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("x-request-id")).toMatch(/^[0-9A-Za-z]{22}$/);
  });
});

test("a session that ended elsewhere is not served any more", async () => {
  const { headers, accountId } = await signedIn();
  await ctx.database.query.delete(sessions).where(eq(sessions.accountId, accountId));
  expect((await query("session.list", headers)).status).toBe(401);
});
