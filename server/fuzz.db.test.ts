import { expect, test } from "vitest";
import { z } from "zod";
import { vaultRequests } from "#db/schema/faction";
import type { TokenHolder } from "./actor";
import type { Context } from "./context";
import { failureKinds } from "./failures";
import { apiPrefix } from "./machine-path";
import { compileDispatch } from "./rest/dispatch";
import type { Endpoint } from "./rest/endpoint";
import { readJson } from "./rest/read-input";
import { routes } from "./routes";
import { scopeNames } from "./scopes";
import { testDatabase } from "./testing/database";
import { readAnswer, type TestAnswer } from "./testing/dispatch-world";
import { dice } from "./testing/fuzz/dice";
import { callDrawer, type DrawnCall } from "./testing/fuzz/draw-call";
import { liveToken } from "./testing/live-token";
import { knownStranger, populatedWorld } from "./testing/populated-world";

/** By hand: `FUZZ_CALLS=10000 FUZZ_SEED=2 npx vitest run --project postgres server/fuzz`. */
const calls = Number(process.env.FUZZ_CALLS ?? 3_000);
const seed = Number(process.env.FUZZ_SEED ?? 1);
/** Below the rate limits and the players' game budgets. */
const callsPerMinute = 40;

const world = await populatedWorld(await testDatabase());
const { ctx, people, log } = world;
const dispatch = compileDispatch(routes, { prefix: apiPrefix });
const stored: (string | number)[] = [1];
const playerIds = Object.values(people).map(({ playerId }) => playerId);
const draw = callDrawer(
  {
    endpoints: routes,
    callers: [...Object.keys(people), "member", "banker", "bare"],
    ids: {
      faction_id: () => [7001, 7001, 7001, 7002, 2_147_483_647],
      user_id: () => [...playerIds, knownStranger, 1, 2_147_483_647],
      request_id: () => stored,
    },
  },
  dice(seed),
);

/** Each caller has three applications, so that no rate limit answers for an endpoint. */
function known(call: DrawnCall, number: number): Context {
  const person =
    call.as && call.as !== "bare" ? people[call.as as keyof typeof people] : people.member;
  const actor: TokenHolder = {
    ...{
      kind: "token",
      accountId: person.accountId,
      playerId: person.playerId,
      clientId: `client ${number % 3}`,
    },
    ...{
      consentId: ctx.ids.uuid(),
      grantId: ctx.ids.uuid(),
      scopes: call.as === "bare" ? [] : scopeNames,
    },
  };
  return {
    ...ctx,
    tokens: {
      ...ctx.tokens,
      authenticate: async (token) => (token === "live" ? liveToken(ctx, actor) : undefined),
    },
  };
}

async function send(call: DrawnCall, number: number): Promise<TestAnswer> {
  const { path, method, body } = call;
  const headers = new Headers({
    ...(call.as && { authorization: "Bearer live" }),
    ...call.headers,
  });
  const carries = !["GET", "HEAD"].includes(method.toUpperCase());
  // Calls that wait for events are aborted soon.
  const signal = path.includes("wait=") ? AbortSignal.timeout(50) : null;
  const request = new Request(`http://any.host${path}`, {
    method,
    headers,
    body: carries ? body : null,
    signal,
  });
  const peer = {
    address: `192.0.2.${number % 250}`,
    ...(!carries && body !== undefined && { body: Buffer.from(body) }),
  };
  return readAnswer(await dispatch(known(call, number), request, peer));
}

const shape = z.strictObject({
  code: z.int(),
  name: z.string(),
  message: z.string().max(2_000),
  details: z.looseObject({ message: z.string().min(1) }).optional(),
});
const catalogue = new Set(
  failureKinds.map(({ code, name, status }) => `${status} ${code} ${name}`),
);
const insides =
  /\bat \S+ \(|node_modules|\.ts:\d|stack|drizzle|postgres|pglite|relation "|column "|syntax error|invalid input syntax|select .* from|insert into|ZodError|DemoMember|DemoBanker/i;

/** The fault of an answer, in words. */
function faultOf({ of, method, path }: DrawnCall, answer: TestAnswer): string | undefined {
  const { status, headers, text, json } = answer;
  if (status >= 500) return `a ${status}`;
  const preflight = method === "OPTIONS" && status === 204;
  for (const name of ["limit", "remaining", "reset"])
    if (!/^\d+$/.test(headers.get(`x-ratelimit-${name}`) ?? "")) return `no x-ratelimit-${name}`;
  if (!headers.get("x-request-id")) return "no request id";
  if (headers.get("x-content-type-options") !== "nosniff") return "no nosniff";
  if (headers.get("access-control-allow-origin") !== "*") return "no CORS header";
  if (insides.test(text)) return "words from the inside";
  if (method === "HEAD" || status === 204 || status === 304 || preflight)
    return text === "" ? undefined : "a body";
  if (headers.get("content-type") !== "application/json")
    return `type ${headers.get("content-type")}`;
  if (status >= 400) return refusalFault(status, json);
  return successFault(path, of, json);
}

function refusalFault(status: number, json: unknown): string | undefined {
  const failure = shape.safeParse(json);
  if (!failure.success) return "another shape of failure";
  const said = `${status} ${failure.data.code} ${failure.data.name}`;
  return catalogue.has(said) ? undefined : `an unknown failure ${said}`;
}

/** A mutated path may match another endpoint: then any record of the table will do. */
function successFault(path: string, of: Endpoint, json: unknown): string | undefined {
  const fits = [of, ...routes].some((endpoint) => endpoint.returns?.safeParse(json).success);
  return fits ? undefined : `a record that does not fit ${of.title} at ${path.slice(0, 100)}`;
}

/** Fixed calls with answers that no other call may change. */
async function canary(): Promise<string[]> {
  const paths = ["/user", "/user/1004", "/7002/members", "/faction/crime/names", "/user/1003/stat"];
  const answers: string[] = [];
  for (const path of paths) {
    const call = {
      of: routes[0] as Endpoint,
      method: "GET",
      headers: {},
      body: undefined,
      as: "loner",
    };
    const { status, text } = await send({ ...call, path: apiPrefix + path }, 1_999);
    const read = readJson(text);
    const json = "value" in read ? read.value : text;
    answers.push(
      `${status} ${JSON.stringify(json, (key, value) => (/^last_/.test(key) ? null : typeof value === "bigint" ? String(value) : value))}`,
    );
  }
  return answers;
}

test("FZ-07, FZ-09, FZ-10, ER-08, ER-14: no call drawn from the table is answered by a fault of ours, in another shape, or changes a later answer", async () => {
  const before = await canary();
  const faults: string[] = [];
  const met = new Map<string, number>();
  log.lines.length = 0;
  for (let number = 0; number < calls; number++) {
    if (number % callsPerMinute === 0) {
      world.nextMinute();
      await world.ctx.settled();
    }
    const call = draw();
    const answer = await send(call, number).catch((thrown: unknown) => String(thrown));
    const fault = typeof answer === "string" ? `no answer: ${answer}` : faultOf(call, answer);
    if (fault)
      faults.push(`${fault}: ${JSON.stringify({ ...call, of: call.of.title }).slice(0, 600)}`);
    if (typeof answer === "string") continue;
    const key = `${answer.status < 300 ? "success" : answer.status} ${call.of.title}`;
    met.set(key, (met.get(key) ?? 0) + 1);
    const { id, guid } = (answer.json ?? {}) as { id?: number; guid?: string };
    if (call.of.idempotent && answer.status === 200 && id && guid)
      stored.splice(0, stored.length, ...stored.slice(-6), id, guid);
  }
  expect(faults.slice(0, 10)).toEqual([]);
  expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  // Each endpoint must have been reached, or the fuzz proves nothing.
  const reached = routes.map(({ title }) => [title, (met.get(`success ${title}`) ?? 0) > 0]);
  expect(reached).toEqual(routes.map(({ title }) => [title, true]));
  expect(await canary()).toEqual(before);
  expect(
    ({} as Record<string, unknown>).limit ?? ({} as Record<string, unknown>).polluted,
  ).toBeUndefined();
}, 600_000);

test("FZ-01, FZ-03: after all of it every stored request is one that could be asked for", async () => {
  const rows = await ctx.database.query.select().from(vaultRequests);
  expect(rows.length).toBeGreaterThan(0);
  for (const { amount, factionId, playerId, currency, expiresAt, requestedAt } of rows) {
    expect(Number.isSafeInteger(amount) && amount >= 1).toBe(true);
    expect([factionId, playerIds.includes(playerId)]).toEqual([7001, true]);
    expect(["money_balance", "points_balance"]).toContain(currency);
    if (expiresAt) expect(expiresAt.getTime()).toBeGreaterThan(requestedAt.getTime());
  }
});
