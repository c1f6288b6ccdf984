import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { isLeaderPosition, readMembership } from "#server/faction/positions/membership";
import { UnknownOAuthClient } from "#server/failures";
import { apiPrefix } from "#server/machine-path";
import { dayMs } from "#server/platform/time";
import { mounted } from "#server/rest/router";
import { routes } from "#server/routes";
import { isOfFaction, type ScopeName } from "#server/scopes";
import {
  countCalls,
  findOnlyChosen,
  listBlockedFor,
  listConsenting,
  listDeciders,
  listDecisions,
  listReaders,
} from "./store";

export interface ListedAccess {
  readonly clientId: string;
  readonly name: string;
  readonly emblemSign: string | null;
  readonly emblemColour: string | null;
  readonly verified: boolean;
  /** Faction scopes that some member approved. */
  readonly scopes: readonly ScopeName[];
  /** With such a consent. */
  readonly members: number;
  /** To the hour, for any call. */
  readonly lastUsed: Date | null;
  readonly blocked: boolean;
  /** Null: as all others. */
  readonly decision: { readonly at: Date; readonly by: string | null } | null;
}

export interface FactionAccess {
  readonly factionName: string;
  /** Null for members that may not decide. */
  readonly shown: {
    readonly applications: readonly ListedAccess[];
    readonly onlyChosen: boolean;
    /** Leaders name those that decide beside them. */
    readonly mayName: boolean;
    readonly positions: readonly { readonly name: string; readonly decides: boolean }[];
  } | null;
}

/** Null without a faction. */
export async function showAccess(
  ctx: Context,
  { playerId }: PortalUser,
): Promise<FactionAccess | null> {
  const member = await readMembership(ctx.database, playerId);
  if (!member) return null;
  const { factionId, factionName, decidesAccess, leader } = member;
  if (!decidesAccess) return { factionName, shown: null };
  const on = ctx.database.query;
  const [applications, onlyChosen, positions] = await Promise.all([
    listAccess(ctx, factionId),
    findOnlyChosen(on, factionId),
    listDeciders(on, factionId),
  ]);
  return {
    factionName,
    shown: {
      ...{ applications, onlyChosen, mayName: leader },
      positions: positions.filter((position) => !isLeaderPosition(position.name)),
    },
  };
}

/** Those that read, and those that the faction decided about. */
async function listAccess({ database, now }: Context, factionId: number): Promise<ListedAccess[]> {
  const on = database.query;
  const [readers, decisions] = await Promise.all([
    listReaders(on, factionId, now()),
    listDecisions(on, factionId),
  ]);
  const decided = new Map(
    decisions.map(({ clientId, decidedAt: at, decidedBy: by }) => [clientId, { at, by }]),
  );
  const reading = readers.map((reader) => ({
    ...reader,
    decision: decided.get(reader.clientId) ?? null,
  }));
  const others = decisions.filter(
    ({ clientId }) => !readers.some((reader) => reader.clientId === clientId),
  );
  const unread = others.map(({ decidedAt: at, decidedBy: by, ...application }) => ({
    ...application,
    ...{ verified: false, scopes: [], members: 0, lastUsed: null, decision: { at, by } },
  }));
  return [...reading, ...unread];
}

export interface MemberUse {
  readonly playerId: number;
  readonly name: string;
  readonly scopes: readonly ScopeName[];
  readonly since: Date;
  readonly lastUsed: Date | null;
  /** For faction data, in 24 hours. */
  readonly calls: number;
}

export interface EndpointUse {
  readonly method: string;
  readonly route: string;
  readonly calls: number;
  readonly refused: number;
}

export interface AccessOfApplication {
  readonly factionName: string;
  readonly application: ListedAccess;
  readonly onlyChosen: boolean;
  readonly members: readonly MemberUse[];
  /** For faction data, in 24 hours; the busiest first. */
  readonly endpoints: readonly EndpointUse[];
}

const factionRoutes = [
  ...new Set(
    mounted(routes)
      .filter(({ endpoint }) => endpoint.scopes.some(isOfFaction))
      .map(({ path }) => `${apiPrefix}${path}`),
  ),
];

/** @throws UnknownOAuthClient alike without the right and for an application that is not listed */
export async function showAccessOf(
  ctx: Context,
  { playerId }: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<AccessOfApplication> {
  const on = ctx.database.query;
  const member = await readMembership(ctx.database, playerId);
  if (!member?.decidesAccess) throw UnknownOAuthClient.because();
  const { factionId, factionName } = member;
  const application = (await listAccess(ctx, factionId)).find((each) => each.clientId === clientId);
  if (!application) throw UnknownOAuthClient.because();
  const now = ctx.now();
  const consenting = await listConsenting(on, { factionId, clientId }, now);
  const accountIds = consenting.map(({ accountId }) => accountId);
  const since = new Date(now.getTime() - dayMs);
  const calls = await countCalls(on, { clientId, accountIds, routes: factionRoutes }, since);
  const endpoints = new Map<string, EndpointUse>();
  for (const { method, route, ...counts } of calls) {
    const known = endpoints.get(`${method} ${route}`);
    endpoints.set(`${method} ${route}`, {
      ...{ method, route },
      calls: counts.calls + (known?.calls ?? 0),
      refused: counts.refused + (known?.refused ?? 0),
    });
  }
  const used = [application.lastUsed, ...calls.map(({ last }) => last)].filter((at) => at !== null);
  return {
    factionName,
    application: {
      ...application,
      lastUsed: used.sort((a, b) => b.getTime() - a.getTime())[0] ?? null,
    },
    onlyChosen: await findOnlyChosen(on, factionId),
    members: consenting.map(({ accountId, ...consent }) => ({
      ...consent,
      calls: calls
        .filter((each) => each.accountId === accountId)
        .reduce((sum, each) => sum + each.calls, 0),
    })),
    endpoints: [...endpoints.values()].sort((a, b) => b.calls - a.calls),
  };
}

export interface FactionBlock {
  readonly factionName: string;
  readonly clientIds: readonly string[];
}

/** Of these, the applications that the player's faction blocks; null if it blocks none. */
export async function readFactionBlock(
  { database }: Context,
  playerId: number,
  clientIds: readonly string[],
): Promise<FactionBlock | null> {
  const blocked = await listBlockedFor(database.query, { playerId, clientIds });
  if (blocked.length === 0) return null;
  const member = await readMembership(database, playerId);
  return { factionName: member?.factionName ?? "Your faction", clientIds: blocked };
}
