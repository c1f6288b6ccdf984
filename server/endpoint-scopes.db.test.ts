import { describe, expect, test } from "vitest";
import { testSource } from "#server/testing/world";
import { apiPrefix } from "./machine-path";
import { compileDispatch } from "./rest/dispatch";
import { expandAliases } from "./rest/router";
import { routes } from "./routes";
import { type ScopeName, scopeNames } from "./scopes";
import { testDatabase } from "./testing/database";
import { readAnswer, type TestAnswer } from "./testing/dispatch-world";
import { mintApplication, mintTokens } from "./testing/oauth-world";
import { populatedWorld } from "./testing/populated-world";
import {
  addedEndpoints,
  type SpecifiedEndpoint,
  specifiedEndpoints,
} from "./testing/specified-endpoints";

/** The endpoint table against the specification, as data and through real tokens. */
const { ctx, clock, people } = await populatedWorld(await testDatabase());
const dispatch = compileDispatch(routes, { prefix: apiPrefix });
const specified = [...specifiedEndpoints, ...addedEndpoints];
const user = people.member;

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method} ${path}`;

async function call(
  { method, asked, body }: SpecifiedEndpoint,
  token: string,
): Promise<TestAnswer> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent = body === undefined ? null : JSON.stringify(body);
  const request = new Request(`http://any.host${apiPrefix}${asked}`, {
    method,
    headers,
    body: sent,
  });
  return readAnswer(await dispatch(ctx, request, { address: testSource.address }));
}

/** With exactly these scopes, from an application registered for them alone. */
async function tokenOf(scopes: readonly ScopeName[]): Promise<string> {
  clock.advance(60);
  const app = await mintApplication(ctx, user, { scopes: [...scopes] });
  return (await mintTokens(ctx, app, { user, scopes })).access_token;
}

/** The error for a missing scope; undefined for other errors. */
const missingIn = ({ status, json }: TestAnswer): unknown => {
  const { code, details } = (json ?? {}) as { code?: number; details?: { missing?: unknown } };
  return status === 403 && code === 4004 ? details?.missing : undefined;
};

/** All scopes that do not cover this one. */
const allBut = (scope: ScopeName) =>
  scopeNames.filter(
    (name) => name !== scope && !(name === "faction" && scope.startsWith("faction:")),
  );

test("the table holds every specified endpoint with its scopes, and no other", () => {
  const table = expandAliases(routes).map(({ path, endpoint }) => [
    nameOf({ ...endpoint, path }),
    [...endpoint.scopes],
  ]);
  const wanted = specified.map((row) => [nameOf(row), [...row.scopes]]);
  expect(Object.fromEntries(table)).toEqual(Object.fromEntries(wanted));
  expect(table).toHaveLength(wanted.length);
});

describe.each(specified)("$method $path", (row) => {
  test("its scopes open it, and the whole of a scope is as good as its part", async () => {
    const whole = row.scopes.map((scope) => (scope.startsWith("faction:") ? "faction" : scope));
    for (const scopes of [row.scopes, whole])
      expect(missingIn(await call(row, await tokenOf(scopes)))).toBeUndefined();
  });

  test.runIf(row.scopes.length > 0)("all other scopes together do not", async () => {
    for (const scope of row.scopes) {
      const answer = await call(row, await tokenOf(allBut(scope)));
      expect(missingIn(answer)).toEqual([scope]);
      expect(answer.headers.get("www-authenticate")).toContain(`scope="${row.scopes.join(" ")}"`);
    }
  });
});

test("BR-18: an application that is registered for no scope reads what needs none, and nothing else", async () => {
  const bare = await tokenOf([]);
  for (const row of specified) {
    const answer = await call(row, bare);
    if (row.scopes.length > 0)
      expect([nameOf(row), missingIn(answer)]).toEqual([nameOf(row), row.scopes]);
    else
      expect([nameOf(row), answer.status, answer.text.length > 2]).toEqual([
        nameOf(row),
        200,
        true,
      ]);
  }
});
