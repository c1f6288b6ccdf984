import type { Queryable } from "#db/client";
import type { TokenHolder } from "../actor";
import { type LoggedEvent, readLog, type Stretch } from "../event-log/read-log";
import { isBanker, membershipOf } from "../faction/positions/membership";
import { knownScopesOf } from "../oauth/scope-list";
import { covers } from "../scopes";
import {
  listCandidateEvents,
  listConsentPeriods,
  listHolders,
  type ReaderFilter,
} from "./visible-store";

type Reader = Pick<TokenHolder, "clientId" | "playerId" | "grantId">;

export interface VisibleEvent {
  readonly event: LoggedEvent;
  /** Null if every application may read the event, or only the webhook of its account may. */
  readonly reader: Reader | null;
}

interface VisiblePage {
  readonly visible: readonly VisibleEvent[];
  readonly reached: number;
}

/** Bounds the search of one read, so longer stretches are read in parts. */
const longestStretch = 20_000;

export async function readVisibleToGrant(
  on: Queryable,
  stretch: Stretch,
  of: { readonly reader: Reader; readonly limit: number; readonly now: Date },
): Promise<VisiblePage> {
  const { reader, limit, now } = of;
  const until = Math.min(stretch.until, stretch.after + longestStretch);
  const near = { after: stretch.after, until };
  const found = await listCandidateEvents(on, near, { ...reader, limit: limit + 1 });
  const page = found.slice(0, limit);
  const reached = found.length > limit ? (page.at(-1)?.seq ?? until) : until;
  return {
    visible: await filterVisible(on, page, { readers: { grants: [reader] }, now }),
    reached,
  };
}

/** `players`: players with a webhook of their account. */
type Asked =
  | { readonly clientIds: readonly string[]; readonly players?: readonly number[] }
  | { readonly grants: readonly Reader[] };

/** `visible` has one entry per event and grant. */
export async function readVisibleEvents(
  on: Queryable,
  stretch: Stretch,
  of: { readonly readers: Asked; readonly limit: number; readonly now: Date },
): Promise<VisiblePage & { readonly events: readonly LoggedEvent[] }> {
  const page = await readLog(on, stretch, of.limit);
  const reached = page.length < of.limit ? stretch.until : (page.at(-1)?.seq ?? stretch.until);
  return { events: page, visible: await filterVisible(on, page, of), reached };
}

export async function filterVisible(
  on: Queryable,
  page: readonly LoggedEvent[],
  { readers, now }: { readonly readers: Asked; readonly now: Date },
): Promise<VisibleEvent[]> {
  const opened = await readersOf(on, page, { readers, now });
  return page.flatMap((event): VisibleEvent[] => {
    if (isEverybodys(event)) return [{ event, reader: null }];
    if (isOfAccount(event))
      return "clientIds" in readers && readers.players?.includes(event.playerId ?? 0)
        ? [{ event, reader: null }]
        : [];
    const { clientId, playerId, grantId } = event;
    if (clientId === null || playerId === null || grantId === null)
      return (opened.get(event.seq) ?? []).map((reader) => ({ event, reader }));
    if ("grants" in readers)
      return readers.grants
        .filter((reader) => isOwn(event, reader))
        .map((reader) => ({ event, reader }));
    return readers.clientIds.includes(clientId)
      ? [{ event, reader: { clientId, playerId, grantId } }]
      : [];
  });
}

const isEverybodys = ({ factionId, clientId, playerId }: LoggedEvent): boolean =>
  factionId === null && clientId === null && playerId === null;

const isOfAccount = ({ factionId, clientId, playerId }: LoggedEvent): boolean =>
  factionId === null && clientId === null && playerId !== null;

const isOwn = ({ clientId, playerId }: LoggedEvent, reader: Reader): boolean =>
  clientId === reader.clientId && playerId === reader.playerId;

async function readersOf(
  on: Queryable,
  page: readonly LoggedEvent[],
  { readers: asked, now }: { readonly readers: Asked; readonly now: Date },
): Promise<Map<number, Reader[]>> {
  const readers = new Map<number, Reader[]>();
  const factionIds = [...new Set(page.flatMap(({ factionId }) => factionId ?? []))];
  const sought = "grants" in asked ? holdersOf(asked.grants) : asked;
  if (factionIds.length === 0 || sought.clientIds.length === 0) return readers;
  const found = await listHolders(on, { factionIds, readers: sought, now });
  // A player may have several grants of an application, and only asked grants read.
  const grants = "grants" in asked && new Set(asked.grants.map(({ grantId }) => grantId));
  const holders = grants ? found.filter(({ grantId }) => grants.has(grantId)) : found;
  const coveredBefore = await periodsOf(on, page, holders);
  const byFaction = Map.groupBy(holders, ({ member }) => member.factionId);
  for (const event of page) {
    if (event.factionId === null) continue;
    const members = byFaction.get(event.factionId) ?? [];
    const opened = members.filter((holder) =>
      opens(event, holder, coveredBefore.get(holder.consentId) ?? []),
    );
    readers.set(
      event.seq,
      opened.map(({ clientId, grantId, member: { playerId } }) => ({
        clientId,
        grantId,
        playerId,
      })),
    );
  }
  return readers;
}

const holdersOf = (grants: readonly Reader[]): ReaderFilter => ({
  clientIds: [...new Set(grants.map(({ clientId }) => clientId))],
  playerIds: [...new Set(grants.map(({ playerId }) => playerId))],
});

type Holder = Awaited<ReturnType<typeof listHolders>>[number];
type Period = Awaited<ReturnType<typeof listConsentPeriods>>[number];

/** Past scopes matter only for consents that changed after the page's first event. */
async function periodsOf(on: Queryable, page: readonly LoggedEvent[], holders: readonly Holder[]) {
  const since = new Date(Math.min(...page.map(({ at }) => at.getTime())));
  const changed = new Set(
    holders.flatMap((each) => (each.consentChanged >= since ? each.consentId : [])),
  );
  const periods =
    changed.size > 0 ? await listConsentPeriods(on, { consentIds: [...changed], since }) : [];
  return Map.groupBy(periods, ({ consentId }) => consentId);
}

/**
 * True if grant, consent and registration have the scope now, and at the event the consent had it,
 * the player was a member and the faction allowed the application. An event in the millisecond of a
 * change counts as before the change.
 */
function opens(event: LoggedEvent, holder: Holder, periods: readonly Period[]): boolean {
  const { at } = event;
  const [scope] = knownScopesOf([event.scope ?? ""]);
  const { member, factionSince, allowedSince, positionSince, abilitiesSince } = holder;
  const isEarlier = [holder.grantedAt, factionSince, allowedSince].some(
    (since) => since !== null && since >= at,
  );
  if (!scope || isEarlier) return false;
  if (![holder.scopes, holder.consented, holder.registered].every((held) => covers(held, scope)))
    return false;
  // Another member's record needs banker rights, then and now.
  const isOthers = event.playerId !== null && event.playerId !== member.playerId;
  const isNew = [positionSince, abilitiesSince].some((since) => since !== null && since >= at);
  if (isOthers && (isNew || !isBanker(membershipOf(member)))) return false;
  if (holder.consentChanged < at) return true;
  return periods.some(
    ({ began, ended, scopes }) => began < at && (!ended || ended >= at) && covers(scopes, scope),
  );
}

/** Events without a reader are in every list. */
export function eventsByGrant(
  visible: readonly VisibleEvent[],
  grantIds: Iterable<string>,
): ReadonlyMap<string, readonly VisibleEvent[]> {
  const lists = new Map<string, VisibleEvent[]>();
  const add = (grantId: string, found: VisibleEvent) => {
    const list = lists.get(grantId);
    if (list) list.push(found);
    else lists.set(grantId, [found]);
  };
  const everybody = visible.some(({ reader }) => reader === null) ? [...grantIds] : [];
  for (const found of visible)
    if (found.reader) add(found.reader.grantId, found);
    else for (const grantId of everybody) add(grantId, found);
  return lists;
}
