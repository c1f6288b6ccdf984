import { moment } from "./input-schemas";

/** The position at which a list goes on: at a place in its order, after one of the rows there. */
export interface PlaceCursor<Row extends string | number = string | number> {
  readonly place: number;
  readonly row: Row;
}

export const placeForm = /^(\d{1,15})_([0-9a-f-]{1,36})$/;

/** A cursor in an address; opaque to its reader. */
export const writePlace = ({ place, row }: PlaceCursor): string => `${place}_${row}`;

/** Reads one; undefined for what is none. */
export function readPlace(text: string): PlaceCursor<string> | undefined {
  const [, place, row] = placeForm.exec(text) ?? [];
  return row === undefined ? undefined : { place: Number(place), row };
}

/** The position at which a list from the newest to the oldest goes on: after the row with this time and id. */
export interface PageCursor {
  readonly at: Date;
  readonly id: string;
}

/** A page of such a list; `next` is null on the last one. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export const writeCursor = ({ at, id }: PageCursor): string =>
  writePlace({ place: at.getTime(), row: id });

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads one; what is none counts as absent, so that a mangled address shows the first page.
 * @param rows what the list's rows are named by
 */
export function readCursor(
  text: string | null | undefined,
  rows: "uuid" | "any" = "any",
): PageCursor | null {
  const cursor = readPlace(text ?? "");
  const { data: at } = moment.safeParse(new Date(cursor?.place ?? Number.NaN));
  if (!cursor || !at || (rows === "uuid" && !uuid.test(cursor.row))) return null;
  return { at, id: cursor.row };
}

/** Makes a page of rows of which one more was asked for than fits: the one too many says that there is a next page. */
export function pageOf<Row extends PageCursor>(rows: readonly Row[], size: number): Page<Row> {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return { rows: shown, next: last && rows.length > size ? writeCursor(last) : null };
}

/** A number of rows, as far as they were counted. */
export interface CappedCount {
  readonly count: number;
  /** Whether there may be more: counting stopped before the end. */
  readonly more: boolean;
}

export const noCount: CappedCount = { count: 0, more: false };

/** @param looked how many rows were looked at to find them, of `most` at most */
export const cappedCountOf = (
  found: number,
  { looked = found, most }: { looked?: number; most: number },
): CappedCount => ({
  count: found,
  more: looked >= most,
});
