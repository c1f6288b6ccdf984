import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { isLeaderPosition, readMembership } from "#server/faction/positions/membership";
import { UnknownOAuthClient } from "#server/failures";
import { apiPrefix } from "#server/machine-path";
import { dayMs } from "#server/platform/time";
import { expandAliases } from "#server/rest/router";
import { routes } from "#server/routes";
import { isFactionScope } from "#server/scopes";
import { countUseByEndpoint } from "../clients/calls/store";
import {
  isBlockedByDefault,
  listBlockedFor,
  listConsentingMembers,
  listDecisions,
  listFactionPositions,
  listReadingApplications,
} from "./store";

export type FactionAccess = NonNullable<Awaited<ReturnType<typeof showFactionAccess>>>;
export type ListedAccess = Awaited<ReturnType<typeof listAccess>>[number];
export type AccessOfApplication = Awaited<ReturnType<typeof showApplicationAccess>>;

export async function showFactionAccess(ctx: Context, { playerId }: PortalUser) {
  const member = await readMembership(ctx.database, playerId);
  if (!member) return null;
  const { factionId, factionName, decidesAccess, leader } = member;
  if (!decidesAccess) return { factionName, shown: null };
  const on = ctx.database.query;
  const [applications, onlyChosen, positions] = await Promise.all([
    listAccess(ctx, factionId),
    isBlockedByDefault(on, factionId),
    listFactionPositions(on, factionId),
  ]);
  return {
    factionName,
    shown: {
      applications,
      onlyChosen,
      mayName: leader,
      positions: positions.filter((position) => !isLeaderPosition(position.name)),
    },
  };
}

/** Includes applications that read nothing but have a decision. */
async function listAccess({ database, now }: Context, factionId: number) {
  const on = database.query;
  const [readers, decisions] = await Promise.all([
    listReadingApplications(on, factionId, now()),
    listDecisions(on, factionId),
  ]);
  const decided = new Map(
    decisions.map(({ clientId, decidedAt: at, decidedBy: by }) => [clientId, { at, by }]),
  );
  const others = decisions.filter(
    ({ clientId }) => !readers.some((reader) => reader.clientId === clientId),
  );
  const unread = others.map(({ decidedAt: _, decidedBy: __, ...application }) => ({
    ...application,
    verified: false,
    scopes: [],
    members: 0,
    lastUsed: null,
  }));
  return [...readers, ...unread].map((application) => ({
    ...application,
    decision: decided.get(application.clientId) ?? null,
  }));
}

const factionRoutes = [
  ...new Set(
    expandAliases(routes)
      .filter(({ endpoint }) => endpoint.scopes.some(isFactionScope))
      .map(({ path }) => `${apiPrefix}${path}`),
  ),
];

/** @throws UnknownOAuthClient without the right, and for an application that is not listed */
export async function showApplicationAccess(
  ctx: Context,
  { playerId }: PortalUser,
  { clientId }: { readonly clientId: string },
) {
  const on = ctx.database.query;
  const member = await readMembership(ctx.database, playerId);
  if (!member?.decidesAccess) throw UnknownOAuthClient.because();
  const { factionId, factionName } = member;
  const application = (await listAccess(ctx, factionId)).find((each) => each.clientId === clientId);
  if (!application) throw UnknownOAuthClient.because();
  const now = ctx.now();
  const consenting = await listConsentingMembers(on, { factionId, clientId }, now);
  const accountIds = consenting.map(({ accountId }) => accountId);
  const since = new Date(now.getTime() - dayMs);
  const of = { accountIds, clientIds: [clientId], routes: factionRoutes };
  const calls = await countUseByEndpoint(on, of, since);
  const sumOf = (some: typeof calls, key: "calls" | "refused") =>
    some.reduce((sum, each) => sum + each[key], 0);
  const byEndpoint = Map.groupBy(calls, ({ method, route }) => `${method} ${route}`);
  const endpoints = [...byEndpoint].map(([endpoint, some]) => {
    const [method = "", route = ""] = endpoint.split(" ");
    return { method, route, calls: sumOf(some, "calls"), refused: sumOf(some, "refused") };
  });
  const used = [application.lastUsed, ...calls.map(({ last }) => last)].filter((at) => at !== null);
  return {
    factionName,
    application: {
      ...application,
      lastUsed: used.sort((a, b) => b.getTime() - a.getTime())[0] ?? null,
    },
    onlyChosen: await isBlockedByDefault(on, factionId),
    /** `calls` counts calls for faction data in 24 hours. */
    members: consenting.map(({ accountId, ...consent }) => ({
      ...consent,
      calls: sumOf(
        calls.filter((each) => each.accountId === accountId),
        "calls",
      ),
    })),
    /** Calls for faction data in 24 hours, the busiest first. */
    endpoints: endpoints.sort((a, b) => b.calls - a.calls),
  };
}

/** @returns null if the player's faction blocks none of the applications */
export async function findFactionBlock(
  { database }: Context,
  playerId: number,
  clientIds: readonly string[],
) {
  const blocked = await listBlockedFor(database.query, { playerId, clientIds });
  if (blocked.length === 0) return null;
  const member = await readMembership(database, playerId);
  return { factionName: member?.factionName ?? "Your faction", clientIds: blocked };
}
