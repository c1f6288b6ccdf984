import { isIP } from "node:net";
import type { Administrator, PortalUser } from "#server/actor";
import type { AuditSearch } from "#server/admin/contract";
import type { Context } from "#server/context";
import { instantOfRequestId, isRequestId, isUuid } from "#server/platform/ids";
import { minuteMs } from "#server/platform/time";
import { auditedActs, wordsOfAct } from "./audit";
import { asOwnerSees, asTeamSees, nameEvents, type OwnEvent } from "./event-views";
import {
  type AuditFilter,
  type AuditSearchTerms,
  findAccountOfPlayer,
  findIdsByName,
  listAuditEvents,
  listAuditEventsAfter,
} from "./store";

export type AuditEventPage = Awaited<ReturnType<typeof readAuditPage>>;

const pageLength = 50;

/** @param before cursor: only older events */
async function readAuditPage(ctx: Context, asked: AuditFilter, before: string | undefined) {
  const filter = { ...asked, before: before === undefined ? undefined : BigInt(before) };
  const found = await listAuditEvents(ctx.database.query, filter, pageLength + 1);
  const shown = found.slice(0, pageLength);
  const last = shown.at(-1);
  return {
    events: await nameEvents(ctx.database.query, shown),
    next: found.length > pageLength && last ? String(last.id) : null,
  };
}

/** Page views and routine acts of applications, which would bury the player's own acts. */
const routine = [
  "consent.shown",
  "code.issued",
  "token.issued",
  "token.refreshed",
  "token_request.refused",
] as const;

export async function listOwnHistory(
  ctx: Context,
  { accountId }: PortalUser,
  before: string | undefined,
) {
  const { events, next } = await readAuditPage(ctx, { accountId, without: routine }, before);
  return { events: events.map((event) => asOwnerSees(event, accountId)), next };
}

/** Newest first; the caller checks the rights. */
export async function listApplicationHistory(
  ctx: Context,
  of: { clientId: string; nouns: readonly string[]; before?: string },
) {
  const { clientId, nouns, before } = of;
  const acts = auditedActs.filter((act) => nouns.includes(act.slice(0, act.indexOf("."))));
  const { events, next } = await readAuditPage(ctx, { clientId, acts }, before);
  return { events: events.map(asTeamSees), next };
}

/** Includes routine events, for the export. */
export async function listOwnEvents(
  ctx: Context,
  user: PortalUser,
  limit: number,
): Promise<OwnEvent[]> {
  const { accountId } = user;
  const on = ctx.database.query;
  const events = await nameEvents(on, await listAuditEvents(on, { accountId }, limit));
  return events.map((event) => asOwnerSees(event, accountId));
}

/** Newest first. An unknown account or application has no events. */
export async function searchAuditLog(ctx: Context, query: AuditSearch): Promise<AuditEventPage> {
  const filter = await filterOf(ctx, query);
  return filter ? readAuditPage(ctx, filter, query.before) : { events: [], next: null };
}

/** Undefined for an unknown account. */
async function filterOf(ctx: Context, query: AuditSearch): Promise<AuditFilter | undefined> {
  const { act, account, clientId, search, since, until } = query;
  const accountId = account ? await accountOf(ctx, account) : undefined;
  if (account && !accountId) return undefined;
  return {
    acts: act && [act],
    accountId,
    clientId,
    since,
    until,
    search: search ? await readText(ctx, search) : undefined,
  };
}

const mostWords = 8;
/** An event is written during its request, but another clock may have made the request id. */
const requestMs = 5 * minuteMs;

async function readText(ctx: Context, text: string): Promise<AuditSearchTerms> {
  const lower = text.toLowerCase();
  const made = instantOfRequestId(text)?.getTime();
  return {
    ...(await findIdsByName(ctx.database.query, text)),
    acts: auditedActs.filter((act) => wordsOfAct(act).toLowerCase().includes(lower)),
    words: (lower.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, mostWords),
    requestId: isRequestId(text) ? text : undefined,
    requested:
      made === undefined
        ? undefined
        : { since: new Date(made - requestMs), until: new Date(made + requestMs) },
    address: isIP(text) === 0 ? undefined : lower,
  };
}

const exportedAtOnce = 1_000;

/**
 * Yields events as stored, oldest first, for an archive that outlives the log. Audits the export.
 */
export async function* exportAuditLog(
  ctx: Context,
  by: Administrator,
  query: Omit<AuditSearch, "before"> & { readonly after?: bigint | undefined },
): AsyncGenerator<object> {
  const on = ctx.database.query;
  await ctx.audit(on, by, "audit_log.exported", { accountId: null });
  const filter = await filterOf(ctx, query);
  if (!filter) return;
  for (let after = query.after ?? 0n; ; ) {
    const page = await listAuditEventsAfter(on, { ...filter, after }, exportedAtOnce);
    for (const event of page) yield { ...event, id: String(event.id) };
    const last = page.at(-1);
    if (!last || page.length < exportedAtOnce) return;
    after = last.id;
  }
}

async function accountOf(ctx: Context, text: string): Promise<string | undefined> {
  if (/^\d{1,9}$/.test(text)) return findAccountOfPlayer(ctx.database.query, Number(text));
  return isUuid(text) ? text : undefined;
}
