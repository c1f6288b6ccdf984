import type { Queryable } from "#db/client";
import { type LoggedEvent, readLog, type Stretch } from "../event-log/read-log";
import { isBanker, membershipOf } from "../faction/positions/membership";
import { knownScopes } from "../oauth/scope-list";
import { covers } from "../scopes";
import { listEventsNear, listHolders, listPeriods, type Readers } from "./visible-store";

/** The receiver of an event: the application, for this player's grant. Null: every application. */
export interface Reader {
  readonly clientId: string;
  readonly playerId: number;
  readonly grantId: string;
}

/** An event with one of those who may be told. */
export interface VisibleEvent {
  readonly event: LoggedEvent;
  readonly reader: Reader | null;
}

/** The events found in a stretch, and the number up to which it was searched. */
export interface VisiblePage {
  readonly visible: readonly VisibleEvent[];
  readonly reached: number;
}

/** A reader searches at most so many numbers at once: of a long log it gets a part, and where to go on. */
const longestStretch = 20_000;

/** The events of a stretch that one grant opens, at most so many. */
export async function visibleToGrant(
  on: Queryable,
  stretch: Stretch,
  of: { readonly reader: Reader; readonly limit: number; readonly now: Date },
): Promise<VisiblePage> {
  const { reader, limit, now } = of;
  const until = Math.min(stretch.until, stretch.after + longestStretch);
  const near = { after: stretch.after, until };
  const found = await listEventsNear(on, near, { ...reader, limit: limit + 1 });
  const page = found.slice(0, limit);
  const reached = found.length > limit ? (page.at(-1)?.seq ?? until) : until;
  return { visible: await visibleOf(on, page, { readers: { grants: [reader] }, now }), reached };
}

/** The readers whose events are sought: applications, or single grants. */
type Asked = { readonly clientIds: readonly string[] } | { readonly grants: readonly Reader[] };

/** The events of a stretch, and which of them these applications, or these grants, open: an event once for each grant. */
export async function visibleTo(
  on: Queryable,
  stretch: Stretch,
  of: { readonly readers: Asked; readonly limit: number; readonly now: Date },
): Promise<VisiblePage & { readonly events: readonly LoggedEvent[] }> {
  const page = await readLog(on, stretch, of.limit);
  const reached = page.length < of.limit ? stretch.until : (page.at(-1)?.seq ?? stretch.until);
  return { events: page, visible: await visibleOf(on, page, of), reached };
}

/** Which of these events the applications, or the grants, may be told: an event once for each grant. */
export async function visibleOf(
  on: Queryable,
  page: readonly LoggedEvent[],
  { readers, now }: { readonly readers: Asked; readonly now: Date },
): Promise<VisibleEvent[]> {
  const opened = await readersOf(on, page, { readers, now });
  return page.flatMap((event): VisibleEvent[] => {
    if (isEverybodys(event)) return [{ event, reader: null }];
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

const isEverybodys = ({ factionId, clientId }: LoggedEvent): boolean =>
  factionId === null && clientId === null;

/** What happened to a grant of this player's to this application. */
const isOwn = ({ clientId, playerId }: LoggedEvent, reader: Reader): boolean =>
  clientId === reader.clientId && playerId === reader.playerId;

/** The readers of the events of factions on a page, by number, the oldest grant first. */
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
  // A player may have more grants of the same application than were asked about.
  const grants = "grants" in asked && new Set(asked.grants.map(({ grantId }) => grantId));
  const holders = grants ? found.filter(({ grantId }) => grants.has(grantId)) : found;
  const coveredBefore = await periodsOf(on, page, holders);
  const byFaction = grouped(holders, ({ member }) => member.factionId);
  for (const event of page) {
    if (event.factionId === null) continue;
    const members = byFaction.get(event.factionId) ?? [];
    const opened = members.filter((holder) =>
      opens(event, holder, coveredBefore.get(holder.consentId) ?? []),
    );
    const list = opened.map(({ clientId, grantId, member: { playerId } }) => ({
      clientId,
      grantId,
      playerId,
    }));
    readers.set(event.seq, list);
  }
  return readers;
}

const holdersOf = (grants: readonly Reader[]): Readers => ({
  clientIds: [...new Set(grants.map(({ clientId }) => clientId))],
  playerIds: [...new Set(grants.map(({ playerId }) => playerId))],
});

type Holder = Awaited<ReturnType<typeof listHolders>>[number];
type Period = Awaited<ReturnType<typeof listPeriods>>[number];

/** The periods of consents that were changed after some event of a page. */
async function periodsOf(on: Queryable, page: readonly LoggedEvent[], holders: readonly Holder[]) {
  const since = new Date(Math.min(...page.map(({ at }) => at.getTime())));
  const changed = new Set(
    holders.flatMap((each) => (each.consentChanged >= since ? each.consentId : [])),
  );
  const periods =
    changed.size > 0 ? await listPeriods(on, { consentIds: [...changed], since }) : [];
  return grouped(periods, ({ consentId }) => consentId);
}

function grouped<Key, Item>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/**
 * Whether a grant opens an event of its player's faction: it, its consent and the registration cover the scope now, the consent covered it
 * when the event happened, and the player was a member then. What happened in the very millisecond of a change counts as before it.
 */
function opens(event: LoggedEvent, holder: Holder, periods: readonly Period[]): boolean {
  const { at } = event;
  const [scope] = knownScopes([event.scope ?? ""]);
  const { member, factionSince, positionSince, abilitiesSince } = holder;
  if (!scope || holder.grantedAt >= at || (factionSince && factionSince >= at)) return false;
  if (![holder.scopes, holder.consented, holder.registered].every((held) => covers(held, scope)))
    return false;
  // Another member's record is for those who were bankers then and are now.
  const isOthers = event.playerId !== null && event.playerId !== member.playerId;
  const isNew = [positionSince, abilitiesSince].some((since) => since !== null && since >= at);
  if (isOthers && (isNew || !isBanker(membershipOf(member)))) return false;
  // After its last change a consent covered what it covers now.
  if (holder.consentChanged < at) return true;
  return periods.some(
    ({ began, ended, scopes }) => began < at && (!ended || ended >= at) && covers(scopes, scope),
  );
}

/** The events of each grant, in order; those for everybody are in every list. */
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
