import { describe, expect, test } from "vitest";
import { portalRouter } from "#server/portal/router";
import { testDatabase } from "#server/testing/database";
import { applicationInput } from "#server/testing/oauth-world";
import { portalScript } from "#server/testing/portal-script";
import { testContext } from "#server/testing/test-context";

const { ctx, clock, log } = await testContext({ database: await testDatabase() });
const { baseUrl } = ctx.settings;
const { own, signedIn, send, query, mutate } = portalScript(ctx, portalRouter);
const application = applicationInput();

describe("an error", () => {
  test("of the catalogue shows its sentence and code", async () => {
    const { headers } = await signedIn();
    const answer = await query("applications.get", headers, { clientId: "0".repeat(32) });
    expect(answer).toMatchObject({
      status: 404,
      error: {
        message: "No such application is known.",
        data: { code: "NOT_FOUND", failure: { code: 1500, name: "UnknownOAuthClient" } },
      },
    });
  });

  test("of the input names each field", async () => {
    const { headers } = await signedIn();
    const answer = await mutate("applications.create", headers, {
      ...application,
      name: "",
      tosUri: "javascript:1",
    });
    expect(answer.status).toBe(400);
    expect(answer.error?.data.fields).toEqual([
      { field: "name", message: "A name is needed." },
      { field: "tosUri", message: expect.stringContaining("https://") },
    ]);
  });

  test("of an old session asks for a confirmation (PT-15)", async () => {
    const { headers } = await signedIn();
    const { data } = await mutate("applications.create", headers, application);
    const { clientId } = data as { clientId: string };
    clock.advance(7_200);
    const calls: [string, object][] = [
      ["applications.create", application],
      ["applications.createSecret", { clientId, name: "second" }],
      ["applications.deleteSecret", { clientId, secretId: ctx.ids.uuid() }],
      ["applications.delete", { clientId, confirmName: application.name }],
    ];
    for (const [path, input] of calls)
      expect(await mutate(path, headers, input)).toMatchObject({
        status: 403,
        error: { data: { code: "FORBIDDEN", reason: "CONFIRMATION_WANTED" } },
      });
  });

  test("that nobody foresaw shows a fixed sentence and the request's id; its words go to the log", async () => {
    const { headers } = await signedIn();
    const query = new Proxy(ctx.database.query, {
      get: () => {
        throw Object.assign(new Error("hush"), { query: "select secret from table" });
      },
    });
    const request = new Request(`${baseUrl}/api/trpc/session.list`, { headers });
    const answer = await send(request, { ...ctx, database: { ...ctx.database, query } });
    const requestId = answer.headers.get("x-request-id");
    expect(answer).toMatchObject({
      status: 500,
      error: { message: `Something went wrong. Request id: ${requestId}` },
    });
    expect(answer.text).not.toMatch(/secret|hush|stack|\.ts/);
    const line = log.lines.find(
      ({ fields }) => "requestId" in fields && fields.requestId === requestId,
    );
    expect(JSON.stringify(line)).toContain("select secret from table");
    expect(JSON.stringify(line)).not.toContain("hush");
  });

  test.each<[string, number]>([
    ["no.such", 404],
    ["__proto__", 404],
    ["session.__proto__", 404],
    ["session.constructor", 404],
  ])("of the unknown procedure %s is one of ours", async (path, status) => {
    const answer = await query(path);
    expect(answer).toMatchObject({ status, error: { message: "There is no such procedure." } });
  });

  test.each([
    ["half a brace", "{"],
    ["half a bracket", "["],
    ["nothing", "null"],
    ["a prototype", '{"json":{"__proto__":{"polluted":true}}}'],
    [
      "an instruction to build a prototype",
      '{"json":{},"meta":{"values":{"__proto__.polluted":["Date"]}}}',
    ],
    ["long nonsense", "x".repeat(1_000)],
  ])("of %s as input says no more than that", async (_what, body) => {
    const { headers } = await signedIn();
    const request = new Request(`${baseUrl}/api/trpc/applications.create`, {
      method: "POST",
      headers: { ...own, ...headers },
      body,
    });
    const answer = await send(request);
    expect(answer.status).toBe(400);
    expect(answer.text).not.toMatch(/Unexpected|position|SyntaxError/);
    expect({}).not.toHaveProperty("polluted");
  });
});

test("without a database an answer is an error in the client's shape all the same", async () => {
  const { headers } = await signedIn();
  const statement = (): never => {
    throw Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });
  };
  const request = new Request(`${baseUrl}/api/trpc/session.list`, { headers });
  const answer = await send(request, { ...ctx, database: { ...ctx.database, statement } });
  expect(answer.status).toBe(503);
  expect(answer.text).not.toContain("ECONNREFUSED");
});
