import { sql } from "drizzle-orm";
import type { Context } from "#server/context";
import { apiPrefix } from "#server/machine-path";
import { compileDispatch } from "#server/rest/dispatch";
import { routes } from "#server/routes";
import type { Caller, Callers } from "./callers";

/** A filled database with an instance on it and those that call it. */
export interface World {
  readonly size: number;
  readonly ctx: Context;
  readonly callers: Callers;
}

/** What is measured. `prepare` draws a caller and a target, which is not measured, and gives the call that is. */
export interface Subject {
  readonly group: "api" | "oauth" | "portal" | "portal of a large application" | "job";
  readonly name: string;
  readonly prepare: (world: World) => Promise<() => Promise<unknown>> | (() => Promise<unknown>);
}

export const peer = { address: "192.0.2.1" };
const dispatch = compileDispatch(routes, { prefix: apiPrefix });

export const oneOf = <T>(list: readonly T[]): T => {
  const chosen = list[Math.floor(Math.random() * list.length)];
  if (chosen === undefined) throw new Error("There is nothing to choose from.");
  return chosen;
};
export const within = (most: number): number => 1 + Math.floor(Math.random() * most);

interface Call {
  readonly caller: Caller;
  readonly path: string;
  readonly body?: unknown;
}

/** @param expected what an answer that counts has as its status */
export function api(
  route: string,
  draw: (world: World) => Call | Promise<Call>,
  expected: readonly number[] = [200],
): Subject & { readonly route: string } {
  const [method = "GET"] = route.split(" ");
  const prepare = async (world: World) => {
    const { caller, path, body } = await draw(world);
    const headers: Record<string, string> = { authorization: `Bearer ${caller.accessToken}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const request = new Request(`http://any.host${apiPrefix}${path}`, init);
    return async () => {
      const answer = await dispatch(world.ctx, request, peer);
      const text = await answer.text();
      if (!expected.includes(answer.status))
        throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    };
  };
  return { group: "api", name: route, route, prepare };
}

const anybody = ({ callers }: World) => oneOf(callers.players);
const member = ({ callers }: World) =>
  oneOf(callers.players.filter(({ factionId }) => factionId !== null));
const leader = ({ callers }: World) => oneOf(callers.leaders);
const ofFaction = (route: string, rest: string, who: (world: World) => Caller = member) =>
  api(route, (world) => {
    const caller = who(world);
    return { caller, path: `/faction/${caller.factionId}${rest}` };
  });
const ofSomebody = (route: string, expected: readonly number[]) =>
  api(
    route,
    (world) => ({
      caller: anybody(world),
      path: route.slice(4).replace("<int:user_id>", String(within(world.size))),
    }),
    expected,
  );
const chainList = (what: string, body: (world: World) => object) =>
  ({
    ...api("POST /stat/chain-list", (world) => {
      // Half of the players let their key tell their stats; others have no score to compare with.
      const caller = oneOf(world.callers.players.filter(({ playerId }) => playerId % 2 === 0));
      return { caller, path: "/stat/chain-list", body: body(world) };
    }),
    name: `POST /stat/chain-list, ${what}`,
  }) as const;

/** Every endpoint of the API, some more than once. Caller and subject change with each call. */
export const apiSubjects = [
  ofFaction("GET /faction/<int:faction_id>/attacks/retaliations", "/attacks/retaliations"),
  api("GET /faction/crime/names", (world) => ({
    caller: anybody(world),
    path: "/faction/crime/names",
  })),
  ofFaction("GET /faction/<int:faction_id>/crime/delays", "/crime/delays"),
  api("GET /<int:faction_id>/members", (world) => ({
    caller: anybody(world),
    path: `/${within(world.size / 100)}/members`,
  })),
  api("GET /faction/positions", (world) => ({ caller: member(world), path: "/faction/positions" })),
  api("GET /faction/banking/vault", (world) => ({
    caller: leader(world),
    path: "/faction/banking/vault",
  })),
  api(
    "POST /faction/<int:faction_id>/banking",
    (world) => {
      const caller = leader(world);
      return {
        caller,
        path: `/faction/${caller.factionId}/banking`,
        body: { amount: 5, type: "money_balance" },
      };
    },
    [200, 201],
  ),
  api(
    "DELETE /faction/<int:faction_id>/banking/<request_id>",
    async (world) => {
      const caller = leader(world);
      const rows = await world.ctx.database.query.execute(sql`insert into vault_requests
        (guid, faction_id, player_id, amount, currency, status, requested_at)
        values (gen_random_uuid(), ${caller.factionId}, ${caller.playerId}, 5, 'money_balance', 'pending', now()) returning id`);
      const [row] = [...(rows as unknown as Iterable<{ id: number }>)];
      return { caller, path: `/faction/${caller.factionId}/banking/${row?.id}` };
    },
    [204],
  ),
  ofFaction("GET /faction/<int:faction_id>/banking", "/banking?search_type=all"),
  ofFaction("GET /faction/<int:faction_id>/banking", "/banking?scope=faction", leader),
  chainList("by chance", () => ({})),
  chainList("recently updated", () => ({ sort_order: "recently-updated" })),
  chainList("highest respect", () => ({ sort_order: "highest-respect" })),
  chainList("narrow", () => ({
    minimum_level: 50,
    maximum_level: 50,
    minimum_difficulty: 2,
    maximum_difficulty: 2.1,
  })),
  api("GET /stocks", (world) => ({ caller: anybody(world), path: "/stocks" })),
  api("GET /stocks/benefits", (world) => ({ caller: anybody(world), path: "/stocks/benefits" })),
  api("GET /stocks/movers", (world) => ({ caller: anybody(world), path: "/stocks/movers" })),
  api("GET /user", (world) => ({ caller: anybody(world), path: "/user" })),
  ofSomebody("GET /user/<int:user_id>", [200]),
  // Every fifth player has a fixed estimate.
  api("GET /user/estimate/<int:user_id>", (world) => ({
    caller: anybody(world),
    path: `/user/estimate/${5 * within(world.size / 5)}`,
  })),
  ofSomebody("GET /user/<int:user_id>/stat", [200]),
];

for (const { method, path } of routes)
  if (!apiSubjects.some(({ route }) => route === `${method} ${path}`))
    throw new Error(`${method} ${path} is not measured.`);
