import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { csvOf } from "#server/platform/csv";
import { instantOfRequestId, isRequestId } from "#server/platform/ids";
import { type Page, pageOf, readCursor } from "#server/platform/paging";
import { dayMs, minuteMs } from "#server/platform/time";
import { requireApplication } from "../own-applications";
import { rangeStart, statisticsSince } from "../traffic/traffic";
import { type CallFilter, unmatchedRoute } from "./call-filter";
import {
  type CallLine,
  findCall,
  findCallerAccountId,
  findCallers,
  listCalls,
  listFailedOAuthAttempts,
} from "./store";

export type LoggedCall = Awaited<ReturnType<typeof attachPlayers>>[number];
export type FailedOAuthAttempt = Awaited<ReturnType<typeof listFailedOAuthAttempts>>[number];

interface OfApplication {
  readonly clientId: string;
}

const callsPerPage = 50;

/** Rows; a longer file would block the process. */
const mostInFile = 5_000;

/** @throws UnknownOAuthClient */
export async function exportCalls(
  ctx: Context,
  user: PortalUser,
  asked: CallFilter & OfApplication,
): Promise<string> {
  const { rows } = await showCalls(ctx, user, { ...asked, after: null }, mostInFile);
  return csvOf(rows, {
    time: ({ at }) => at,
    request_id: ({ requestId }) => requestId,
    method: ({ method }) => method,
    path: ({ path, route }) => path ?? route,
    status: ({ status }) => status,
    code: ({ failureCode }) => failureCode,
    player_id: ({ player }) => player?.id,
    player: ({ player }) => player?.name,
    microseconds: ({ micros }) => micros,
    user_agent: ({ userAgent }) => userAgent,
  });
}

/** @throws UnknownOAuthClient */
export async function showCalls(
  ctx: Context,
  user: PortalUser,
  asked: CallFilter & OfApplication & { readonly after: string | null },
  most = callsPerPage,
): Promise<Page<LoggedCall> & { readonly unknownPlayer: boolean }> {
  const on = ctx.database.query;
  const { clientId } = await requireApplication(on, user, asked.clientId, "requests");
  const accountId =
    asked.player === null
      ? null
      : await findCallerAccountId(on, clientId, playerNamed(asked.player));
  if (accountId === undefined) return { rows: [], next: null, unknownPlayer: true };
  const until = asked.until && asked.until < ctx.now() ? asked.until : ctx.now();
  const calls = await listCalls(on, {
    clientId,
    accountId,
    until,
    outcome: asked.outcome,
    endpoint: endpointNamed(asked.endpoint),
    since: rangeStart(asked.range, until),
    after: readCursor(asked.after),
    limit: most + 1,
  });
  const page = pageOf(await attachPlayers(ctx, clientId, calls), most);
  return { ...page, unknownPlayer: false };
}

function endpointNamed(text: string | null) {
  if (text === unmatchedRoute) return { method: null, route: unmatchedRoute };
  const [method, route] = text?.split(" ", 2) ?? [];
  return method && route ? { method, route } : null;
}

const playerNamed = (text: string): string => /\[(\d+)\]$/.exec(text.trim())?.[1] ?? text.trim();

export async function attachPlayers(ctx: Context, clientId: string, lines: readonly CallLine[]) {
  const accountIds = [...new Set(lines.flatMap(({ accountId }) => accountId ?? []))];
  const players = await findCallers(ctx.database.query, clientId, accountIds);
  return lines.map(({ accountId, clientId: _, ...call }) => ({
    ...call,
    /** Null if the call had no token, or its player gave no consent. */
    player: (accountId !== null && players.get(accountId)) || null,
  }));
}

/**
 * Null if no call of the last 30 days had this request id.
 * @throws UnknownOAuthClient
 */
export async function showCall(
  ctx: Context,
  user: PortalUser,
  asked: OfApplication & { readonly requestId: string },
): Promise<LoggedCall | null> {
  const { clientId } = await requireApplication(
    ctx.database.query,
    user,
    asked.clientId,
    "requests",
  );
  const line = await findCallById(ctx, [clientId], asked.requestId);
  const [call] = line?.clientId === clientId ? await attachPlayers(ctx, clientId, [line]) : [];
  return call ?? null;
}

const attemptsPerPage = 50;

/** @throws UnknownOAuthClient */
export async function showFailedOAuthAttempts(
  ctx: Context,
  user: PortalUser,
  asked: OfApplication & { readonly after: string | null },
) {
  const on = ctx.database.query;
  const { clientId } = await requireApplication(on, user, asked.clientId, "figures");
  // Only a week is searched: most lines in the audit log's 90 days are successes.
  const since = statisticsSince(ctx.now());
  const rows = await listFailedOAuthAttempts(on, {
    clientId,
    since,
    after: readCursor(asked.after),
    limit: attemptsPerPage + 1,
  });
  return pageOf(rows, attemptsPerPage);
}

const logKept = 30 * dayMs;
/** Allows for clock differences and the duration of a call. */
const leeway = 5 * minuteMs;

/**
 * Ids made here carry their time, so the log needs no index by id. Other ids, such as a proxy's,
 * are searched in the last seven days.
 */
export function searchWindowOf(ctx: Context, requestId: string) {
  const now = ctx.now().getTime();
  const made = instantOfRequestId(requestId)?.getTime() ?? 0;
  return made > now - logKept && made < now + leeway
    ? { since: new Date(made - leeway), until: new Date(made + leeway), exact: true }
    : { since: statisticsSince(ctx.now()), until: ctx.now(), exact: false };
}

export async function findCallById(
  ctx: Context,
  clientIds: readonly string[],
  requestId: string,
): Promise<CallLine | undefined> {
  if (!isRequestId(requestId)) return undefined;
  return findCall(ctx.database.query, { clientIds, requestId, ...searchWindowOf(ctx, requestId) });
}
