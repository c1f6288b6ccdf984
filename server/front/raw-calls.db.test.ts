import { afterAll, expect, test } from "vitest";
import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import { routes } from "#server/routes";
import { scopeNames } from "#server/scopes";
import { testDatabase } from "#server/testing/database";
import { dice } from "#server/testing/fuzz/dice";
import { callDrawer } from "#server/testing/fuzz/draw-call";
import { bytesOf, sayRaw } from "#server/testing/fuzz/raw-call";
import { liveToken } from "#server/testing/live-token";
import { onLoopback } from "#server/testing/on-loopback";
import { populatedWorld } from "#server/testing/populated-world";
import { createFront } from "./create-front";

/** More by hand: `FUZZ_RAW=5000 npx vitest run --project pglite server/front/raw-calls`. */
const calls = Number(process.env.FUZZ_RAW ?? 500);
const chance = dice(Number(process.env.FUZZ_SEED ?? 3));
const together = 10;
const callsPerMinute = 100;

const world = await populatedWorld(await testDatabase());
const { people, log } = world;
let counted = 0;
/** One application per call, so that no limit answers instead. */
const ctx: Context = {
  ...world.ctx,
  tokens: {
    ...world.ctx.tokens,
    authenticate: async (token) => {
      const person = people[token as keyof typeof people];
      if (!person || !Object.hasOwn(people, token)) return undefined;
      counted += 1;
      const ids = {
        accountId: person.accountId,
        playerId: person.playerId,
        clientId: `client ${counted}`,
      };
      const actor: TokenHolder = {
        kind: "token",
        ...ids,
        consentId: "c",
        grantId: ctx.ids.uuid(),
        scopes: scopeNames,
      };
      return liveToken(ctx, actor);
    },
  },
};
let toPages = 0;
const server = createFront({
  ctx,
  pages: async (_request, response) => {
    toPages += 1;
    response.writeHead(404).end();
  },
});
const port = await onLoopback(server, afterAll);

const draw = callDrawer(
  {
    endpoints: routes,
    callers: Object.keys(people),
    ids: {
      faction_id: () => [7001, 7002],
      user_id: () => [1003, 1004, 1],
      request_id: () => [1, 2],
    },
  },
  chance,
);
const healthy = async () =>
  (
    await sayRaw(
      port,
      Buffer.from(
        "GET /api/v1/user HTTP/1.1\r\nhost: x\r\nauthorization: Bearer loner\r\nconnection: close\r\n\r\n",
      ),
    )
  ).split("\r\n\r\n");

/** An endless upload may go unanswered while its sender waits. */
function faultOf(said: string): string | undefined {
  if (said === "") return undefined;
  const [head = "", body = ""] = said.split("\r\n\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (!Number.isInteger(status) || status < 200) return status === 100 ? undefined : "no HTTP";
  if (status >= 500) return `a ${status}`;
  if (/<html|node_modules|\.ts:\d| {4}at /i.test(said)) return "words from the inside";
  if (/\r\nx-powered-by|set-cookie/i.test(head)) return "a header that no answer of ours has";
  if (/evil\.example/.test(head)) return "the caller's host";
  if (status < 400 || body === "" || !/content-type: application\/json/i.test(head))
    return undefined;
  return /^\{"code":\d+,"name":"\w+","message":"/.test(body) || /chunked/i.test(head)
    ? undefined
    : "another shape";
}

test("ER-08, FZ-09, FZ-14: whatever bytes come, the front answers in the one shape, or closes, and goes on serving", async () => {
  const [, before] = await healthy();
  const faults: string[] = [];
  let answered = 0;
  log.lines.length = 0;
  for (let number = 0; number < calls; number += together) {
    if (number % callsPerMinute === 0) world.nextMinute();
    const sent = Array.from({ length: together }, () => bytesOf(draw(), chance));
    const heard = await Promise.all(sent.map((bytes) => sayRaw(port, bytes)));
    for (const [n, said] of heard.entries()) {
      if (said !== "") answered += 1;
      const fault = faultOf(said);
      if (fault)
        faults.push(
          `${fault}: ${JSON.stringify(sent[n]?.toString("latin1").slice(0, 400))} → ${said.slice(0, 300)}`,
        );
    }
  }
  expect(faults.slice(0, 5)).toEqual([]);
  expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  expect(answered).toBeGreaterThan(calls * 0.9);
  expect(counted).toBeGreaterThan(calls / 3);
  expect(toPages).toBeLessThan(calls / 4);
  expect((await healthy())[1]).toBe(before);
}, 300_000);
