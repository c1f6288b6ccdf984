import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { writeExact } from "#server/platform/exact-json";
import { openApiText } from "./answer";
import { apiPrefix } from "./machine-path";
import type { Endpoint } from "./rest/endpoint";
import { exampleOf, jsonSchemaOf, type NamedSchemas } from "./rest/json-schema";
import { failuresOf } from "./rest/openapi-operation";
import { openApiPath } from "./rest/path";
import { readJson } from "./rest/read-input";
import { expandAliases, parsePath } from "./rest/router";
import { routes, tags } from "./routes";
import type { ScopeName } from "./scopes";
import { testDatabase } from "./testing/database";
import { type DispatchWorld, dispatchWorld, rate, type TestAnswer } from "./testing/dispatch-world";
import { testContext } from "./testing/test-context";
import { mintUser } from "./testing/world";

/** Guarantees of every endpoint, generated from the table. Tests of one endpoint are beside it. */
const { ctx, clock } = await testContext({ database: await testDatabase() });
const table = expandAliases(routes).map(({ path, endpoint }) => ({
  name: `${endpoint.method} ${path}`,
  path,
  endpoint,
}));
const withScopes = table.filter(({ endpoint }) => endpoint.scopes.length > 0);

/** The scope that covers it. */
const parentOf = (scope: ScopeName): ScopeName =>
  scope.startsWith("faction:") ? "faction" : scope;
const everyScope = (endpoint: Endpoint) => endpoint.scopes.map(parentOf);

const document = JSON.parse(openApiText(ctx.settings.baseUrl));

let world: DispatchWorld;
beforeEach(() => {
  clock.advance(60);
  world = dispatchWorld(ctx, routes);
});

/** A valid example, with exact integers. */
function sample(schema: z.ZodType): unknown {
  const named: NamedSchemas = new Map();
  const read = readJson(writeExact(exampleOf(jsonSchemaOf(schema, named), named)));
  return "value" in read ? read.value : undefined;
}

/** As its documentation says. */
function call(
  { path, endpoint }: { path: string; endpoint: Endpoint },
  token: string | null,
): Promise<TestAnswer> {
  const segments = parsePath(path).map((part) =>
    part.kind === "text" ? part.text : part.kind === "int" ? "2147483647" : "1",
  );
  const query = endpoint.query ? sample(endpoint.query) : {};
  const search = new URLSearchParams(
    Object.entries(query as object).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const body =
    endpoint.body && endpoint.method !== "GET" ? writeExact(sample(endpoint.body)) : undefined;
  return world.call(`${apiPrefix}/${segments.join("/")}?${search}`, {
    method: endpoint.method,
    token,
    body,
  });
}

const shape = z.strictObject({
  code: z.int(),
  name: z.string(),
  message: z.string(),
  details: z.looseObject({ message: z.string().min(1) }).optional(),
});

/** Common headers, which the reference omits. */
const ofAllAnswers = /^(?:access-control-|content-|x-content-type-options$|strict-transport-)/;

const operationOf = ({ path, method }: Endpoint) =>
  document.paths[apiPrefix + openApiPath(path)][method.toLowerCase()];

/** A success, or a declared failure, in the declared shape and with declared headers alone. */
function expectDeclared({ status, json, headers }: TestAnswer, endpoint: Endpoint): void {
  const { headers: documented } = operationOf(endpoint).responses[status];
  const names = Object.keys(documented).map((name) => name.toLowerCase());
  const sent = [...headers.keys()].filter((name) => !ofAllAnswers.test(name));
  expect(names).toEqual(expect.arrayContaining(sent));
  if (status < 300) {
    expect(status).toBe(endpoint.returns ? 200 : 204);
    return;
  }
  const failure = shape.parse(json);
  const declared = failuresOf(endpoint).map((kind) => `${kind.status} ${kind.code} ${kind.name}`);
  expect(declared).toContain(`${status} ${failure.code} ${failure.name}`);
}

describe.each(table)("$name", ({ path, endpoint }) => {
  const at = { path, endpoint };

  test("without a token is 401, with a dead one as well", async () => {
    expect(await call(at, null)).toMatchObject({ status: 401, json: { code: 4001 } });
    expect(await call(at, "dead")).toMatchObject({ status: 401, json: { code: 4002 } });
  });

  test("passes with the scopes that it names, or their parents", async () => {
    world.know("token", { scopes: everyScope(endpoint) });
    const answer = await call(at, "token");
    expect(answer.status).not.toBe(401);
    expect(answer.status).not.toBe(500);
    expect(answer.json).not.toMatchObject({ details: { required: endpoint.scopes } });
    expectDeclared(answer, endpoint);
  });

  test("is 429 after the limit, with the headers that say so", async () => {
    const limit = ctx.settings.rates[endpoint.limit?.setting ?? "holder"];
    const { accountId, clientId } = world.know("token", { scopes: everyScope(endpoint) });
    const window = {
      policy: endpoint.limit?.policy ?? "holder",
      subject: `${accountId}:${clientId}`,
      limit,
    };
    for (let at = 1; at < limit; at++) await ctx.limiter.take(window);
    const last = await call(at, "token");
    expect(last.status).not.toBe(429);
    expect(rate(last)).toEqual([limit, 0, 50]);
    const refused = await call(at, "token");
    expect(refused).toMatchObject({
      status: 429,
      json: { code: 4000, details: { policy: window.policy } },
    });
    expect(rate(refused)).toEqual([limit, 0, 50]);
    expect(refused.headers.get("retry-after")).toBe("50");
    expectDeclared(refused, endpoint);
  });

  test("documents examples that its own schemas accept", () => {
    for (const schema of [endpoint.query, endpoint.body]) {
      const example = schema && sample(schema);
      const sent = schema === endpoint.query && example ? asText(example) : example;
      if (schema) expect(schema.safeParse(sent)).toMatchObject({ success: true });
    }
    if (endpoint.returns) {
      const example = sample(endpoint.returns);
      expect(endpoint.returns.parse(example)).toEqual(example);
    }
  });

  test("stands in a section of the reference, under a title of its own", () => {
    expect(tags.map((tag) => tag.name)).toContain(endpoint.tag);
    expect(routes.filter((other) => other.title === endpoint.title)).toEqual([endpoint]);
    expect(endpoint.description).toMatch(/\.$/);
  });

  test("has the same parameters under its alias", () => {
    const parameters = (of: string) => parsePath(of).filter((part) => part.kind !== "text");
    expect(parameters(path)).toEqual(parameters(endpoint.path));
  });
});

const asText = (example: unknown) =>
  Object.fromEntries(
    Object.entries(example as object).map(([name, value]) => [name, String(value)]),
  );

describe.each(withScopes)("$name", ({ path, endpoint }) => {
  test("is 403 without its scope, and says which one is missing", async () => {
    world.know("token", { scopes: [] });
    const answer = await call({ path, endpoint }, "token");
    expect(answer).toMatchObject({
      status: 403,
      json: { code: 4004, details: { required: endpoint.scopes, missing: endpoint.scopes } },
    });
    expect(answer.headers.get("www-authenticate")).toContain(
      `scope="${endpoint.scopes.join(" ")}"`,
    );
    expectDeclared(answer, endpoint);
  });
});

test("BR-11: a player without a faction is answered everywhere as declared, and is never in somebody else's faction", async () => {
  const { playerId } = await mintUser(ctx, { factionId: null });
  for (const at of table) {
    world.know("loner", { playerId, scopes: everyScope(at.endpoint) });
    const answer = await call(at, "loner");
    expectDeclared(answer, at.endpoint);
    expect(answer.status).toBeLessThan(500);
  }
  world.know("loner", { playerId, scopes: ["identity"] });
  const own = await world.call(`${apiPrefix}/user`, { token: "loner" });
  expect(own).toMatchObject({ status: 200, json: { factiontid: null } });
});
