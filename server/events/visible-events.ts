import type { Queryable } from "#db/client";
import { isBanker, membershipOf } from "../faction/positions/membership";
import { type LoggedEvent, listEvents, listEventsNear, listOpened, type Stretch } from "./visible-store";

/** Whom an event is told: the application, for this player's grant. Null: every application. */
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

/** What was found in a stretch, and the number up to which it was searched. */
export interface VisiblePage {
  readonly visible: readonly VisibleEvent[];
  readonly reached: number;
}

/** A reader searches at most so many numbers at once: of a long log it gets a part, and where to go on. */
const longestStretch = 20_000;

/** The events of a stretch that one grant may be told, at most so many. */
export async function visibleToGrant(
  on: Queryable,
  stretch: Stretch,
  of: { readonly reader: Reader; readonly limit: number; readonly now: Date },
): Promise<VisiblePage> {
  const { reader, limit, now } = of;
  const until = Math.min(stretch.until, stretch.after + longestStretch);
  const found = await listEventsNear(on, { after: stretch.after, until }, { ...reader, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? (page.at(-1)?.seq ?? until) : until;
  const readers = await readersOf(on, page, { readers: { grantIds: [reader.grantId] }, now });
  const visible = page.flatMap((event) => {
    if (isOwn(event, reader) || isEverybodys(event)) return [{ event, reader: isEverybodys(event) ? null : reader }];
    return (readers.get(event.seq) ?? []).map((opened) => ({ event, reader: opened }));
  });
  return { visible, reached: last };
}

/** The events of a stretch that these applications, or these grants, may be told; an event once for each grant. */
export async function visibleTo(
  on: Queryable,
  stretch: Stretch,
  of: {
    readonly readers: { readonly clientIds: readonly string[] } | { readonly grants: readonly Reader[] };
    readonly limit: number;
    readonly now: Date;
  },
): Promise<VisiblePage> {
  const { readers, limit, now } = of;
  const page = await listEvents(on, stretch, limit);
  const reached = page.length < limit ? stretch.until : (page.at(-1)?.seq ?? stretch.until);
  const sought = "clientIds" in readers ? readers : { grantIds: readers.grants.map(({ grantId }) => grantId) };
  const opened = await readersOf(on, page, { readers: sought, now });
  const visible = page.flatMap((event): VisibleEvent[] => {
    if (isEverybodys(event)) return [{ event, reader: null }];
    if (event.clientId === null || event.playerId === null || event.grantId === null)
      return (opened.get(event.seq) ?? []).map((reader) => ({ event, reader }));
    if ("grants" in readers)
      return readers.grants.filter((reader) => isOwn(event, reader)).map((reader) => ({ event, reader }));
    const { clientId, playerId, grantId } = event;
    return readers.clientIds.includes(clientId) ? [{ event, reader: { clientId, playerId, grantId } }] : [];
  });
  return { visible, reached };
}

const isEverybodys = ({ factionId, clientId }: LoggedEvent): boolean => factionId === null && clientId === null;

/** What happened to a grant of this player's to this application. */
const isOwn = ({ clientId, playerId }: LoggedEvent, reader: Reader): boolean =>
  clientId === reader.clientId && playerId === reader.playerId;

/** Who opens the events of factions on a page, by number. Another member's record is for those who were bankers then and are now. */
async function readersOf(
  on: Queryable,
  page: readonly LoggedEvent[],
  of: Parameters<typeof listOpened>[2],
): Promise<Map<number, Reader[]>> {
  const ofFactions = page.filter(({ factionId }) => factionId !== null);
  const [first, last] = [ofFactions[0], ofFactions.at(-1)];
  const readers = new Map<number, Reader[]>();
  const asked = "clientIds" in of.readers ? of.readers.clientIds : of.readers.grantIds;
  if (!first || !last || asked.length === 0) return readers;
  const bySeq = new Map(ofFactions.map((event) => [event.seq, event]));
  for (const row of await listOpened(on, { after: first.seq - 1, until: last.seq }, of)) {
    const event = bySeq.get(row.seq);
    if (!event) continue;
    const { member, clientId, grantId, positionSince, abilitiesSince } = row;
    if (event.playerId !== null && event.playerId !== member.playerId) {
      const since = [positionSince, abilitiesSince].some((at) => at !== null && at >= event.at);
      if (since || !isBanker(membershipOf(member))) continue;
    }
    const list = readers.get(row.seq) ?? [];
    list.push({ clientId, grantId, playerId: member.playerId });
    readers.set(row.seq, list);
  }
  return readers;
}
