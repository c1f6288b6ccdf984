import { afterAll, expect, test } from "vitest";
import { GET, POST } from "#app/api/trpc/[trpc]/route";
import { browserRouter, portalRouter } from "#server/portal/router";
import { testDatabase } from "#server/testing/database";
import { shareContext } from "#server/testing/plain-browser";
import { portalScript } from "#server/testing/portal-script";
import { readSourceTree } from "#server/testing/source-tree";
import { testContext } from "#server/testing/test-context";

const { ctx } = await testContext({ database: await testDatabase() });
afterAll(shareContext(ctx));

const nameAll = (router: typeof browserRouter | typeof portalRouter) =>
  Object.keys(router._def.procedures).sort();
const called = readSourceTree()
  .filter(({ path }) => path.startsWith("app/"))
  .flatMap(({ text }) => [
    ...text.matchAll(/\btrpc\s*\.(\w+)\s*\.(\w+)\s*\.use(?:Query|SuspenseQuery|Mutation)\b/g),
  ])
  .map(([, noun, verb]) => `${noun}.${verb}`);

test("scripts reach the procedures that client components call, and no others", () => {
  expect(nameAll(browserRouter)).toEqual([...new Set(called)].sort());
});

test("a procedure that only pages and forms call looks to scripts like none", async () => {
  const { own, signedIn } = portalScript(ctx);
  const { headers } = await signedIn();
  const reachable = new Set(nameAll(browserRouter));
  const others = nameAll(portalRouter).filter((name) => !reachable.has(name));
  expect(others.length).toBeGreaterThan(50);
  for (const name of others) {
    const url = `${ctx.settings.baseUrl}/api/trpc/${name}`;
    const body = JSON.stringify({ json: {} });
    const posted = new Request(url, { method: "POST", headers: { ...own, ...headers }, body });
    for (const answer of [await GET(new Request(url, { headers })), await POST(posted)])
      expect([name, answer.status, await answer.text()]).toEqual([
        name,
        404,
        expect.stringContaining("There is no such procedure."),
      ]);
  }
});
