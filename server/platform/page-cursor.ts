/** Where a list goes on: at a place in its order, after one of the rows there. */
export interface PlaceCursor<Row extends string | number = string | number> {
  readonly place: number;
  readonly row: Row;
}

const form = /^(\d{1,15})_([0-9a-f-]{1,36})$/;

/** A cursor as it stands in an address. To its reader it is opaque. */
export const writePlace = ({ place, row }: PlaceCursor): string => `${place}_${row}`;

/** Reads one; undefined for what is none. */
export function readPlace(text: string): PlaceCursor<string> | undefined {
  const [, place, row] = form.exec(text) ?? [];
  return row === undefined ? undefined : { place: Number(place), row };
}

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

/** The last instant that a Date can hold, in milliseconds. */
const lastInstant = 8_640_000_000_000_000;

export const writeCursor = ({ at, id }: PageCursor): string => writePlace({ place: at.getTime(), row: id });

/** Reads one; what is none counts as absent, so that a mangled address shows the first page. */
export function readCursor(text: string | null | undefined): PageCursor | null {
  const cursor = readPlace(text ?? "");
  return cursor && cursor.place <= lastInstant ? { at: new Date(cursor.place), id: cursor.row } : null;
}

/** Makes a page of rows of which one more was asked for than fits: the one too many says that there is a next page. */
export function pageOf<Row extends PageCursor>(rows: readonly Row[], size: number): Page<Row> {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return { rows: shown, next: last && rows.length > size ? writeCursor(last) : null };
}
