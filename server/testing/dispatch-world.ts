import { beforeEach } from "vitest";
import type { TokenHolder } from "#server/actor";
import type { Authentication, Context } from "#server/context";
import { compileDispatch, type DispatchOptions } from "#server/rest/dispatch";
import type { Endpoint } from "#server/rest/endpoint";
import { readJson } from "#server/rest/read-input";
import type { RequestOrigin } from "#server/rest/request-context";
import { testDatabase } from "./database";
import { kernelEndpoints } from "./kernel-endpoints";
import { liveToken } from "./live-token";
import { testStart } from "./movable-clock";
import { testContext } from "./test-context";

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed with exact integers; undefined without a body. */
  readonly json: unknown;
}

export interface TestCall {
  readonly method?: string;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly peer?: RequestOrigin;
}

/** The REST kernel with a test's endpoints and tokens. */
export interface DispatchWorld {
  readonly ctx: Context;
  call(path: string, call?: TestCall): Promise<TestAnswer>;
  know(token: string, who?: Partial<TokenHolder>, status?: Authentication["status"]): TokenHolder;
  lookups(): number;
}

export const testPeer: RequestOrigin = { address: "192.0.2.1" };

export function dispatchWorld(
  context: Context,
  endpoints: readonly Endpoint[],
  options: Partial<DispatchOptions> = {},
): DispatchWorld {
  const known = new Map<string, Pick<Authentication, "actor" | "status">>();
  let lookups = 0;
  const ctx: Context = {
    ...context,
    tokens: {
      ...context.tokens,
      authenticate: async (token) => {
        lookups += 1;
        const found = known.get(token);
        return found && liveToken(context, found.actor, found.status);
      },
    },
  };
  const dispatch = compileDispatch(endpoints, { prefix: "/api/v1", ...options });
  return {
    ctx,
    lookups: () => lookups,
    know: (token, who = {}, status = "active") => {
      const actor: TokenHolder = {
        kind: "token",
        accountId: ctx.ids.uuid(),
        playerId: 1,
        clientId: "client",
        consentId: ctx.ids.uuid(),
        grantId: ctx.ids.uuid(),
        scopes: [],
        ...who,
      };
      known.set(token, { actor, status });
      return actor;
    },
    call: async (
      path,
      { method = "GET", token = null, headers = {}, body, peer = testPeer } = {},
    ) => {
      const sent = new Headers(headers);
      if (token !== null) sent.set("authorization", `Bearer ${token}`);
      const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
      if (text !== undefined && !sent.has("content-type"))
        sent.set("content-type", "application/json");
      const request = new Request(`http://any.host${path}`, { method, headers: sent, body: text });
      return readAnswer(await dispatch(ctx, request, peer));
    },
  };
}

export async function readAnswer(response: Response): Promise<TestAnswer> {
  const text = await response.text();
  const read = text === "" ? {} : readJson(text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: "value" in read ? read.value : undefined,
  };
}

/** Per minute; few, so that a test can use them up. */
export const fewCalls = { holder: 6, peer: 4, chainList: 2 } as const;

/**
 * Each test has a clock minute of its own, ten seconds old. The token "all" has the scopes identity
 * and faction, "none" has none.
 */
export async function kernelWorld() {
  const { ctx, clock, log } = await testContext({
    database: await testDatabase(),
    settings: { rates: { ...fewCalls, client: 1, clientFailures: 1 } },
  });
  const current: { world: DispatchWorld } = { world: dispatchWorld(ctx, kernelEndpoints) };
  const dayMilliseconds = 86_400_000;
  let tests = 0;
  beforeEach(() => {
    tests += 1;
    clock.set(new Date(testStart.getTime() + tests * dayMilliseconds));
    log.lines.length = 0;
    current.world = dispatchWorld(ctx, kernelEndpoints);
    current.world.know("all", { scopes: ["identity", "faction"] });
    current.world.know("none");
  });
  return { clock, log, current };
}

export const rate = ({ headers }: TestAnswer): number[] =>
  ["Limit", "Remaining", "Reset"].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
