import { weekMs } from "#server/platform/durations";

/** Where a list that runs from the newest to the oldest goes on: after the row with this time and id. */
export interface PageCursor {
  readonly at: Date;
  readonly id: string;
}

/** A page of such a list; `next` is null on the last one. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

const form = /^(\d{1,15})\.([0-9a-f-]{1,36})$/;
/** The last instant that a Date can hold, in milliseconds. */
const lastInstant = 8_640_000_000_000_000;

/** A cursor as it stands in an address. */
export const writeCursor = ({ at, id }: PageCursor): string => `${at.getTime()}.${id}`;

/** Reads one; what is none counts as absent, so that a mangled address shows the first page. */
export function readCursor(text: string | null | undefined): PageCursor | null {
  const [, at = "", id = ""] = form.exec(text ?? "") ?? [];
  return id === "" || Number(at) > lastInstant ? null : { at: new Date(Number(at)), id };
}

/** Makes a page of rows of which one more was asked for than fits: the one too many says that there is a next page. */
export function pageOf<Row extends PageCursor>(rows: readonly Row[], size: number): Page<Row> {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return { rows: shown, next: last && rows.length > size ? writeCursor(last) : null };
}

/*
 * There may be a million of each, and a page counts by reading rows: so each is counted up to a limit.
 */

/** Players are counted in an index alone. */
export const playerCountLimit = 10_000;
/** The same in a list of fifty applications. */
export const playerCountLimitInList = 1_000;
/** Each call is a row to be read. */
export const callCountLimit = 1_000;
/** Whether a device lives is asked of three tables. The newest devices are looked at. */
export const deviceCountLimit = 100;

const lookBackMilliseconds = weekMs;

/** Since when a developer is told of an application's calls, attempts and players. */
export const statisticsSince = (now: Date): Date => new Date(now.getTime() - lookBackMilliseconds);
