import { isUuid } from "./ids";
import { moment } from "./input-schemas";

/** A sort value, and the row for ties. */
export interface PlaceCursor<Row extends string | number = string | number> {
  readonly place: number;
  readonly row: Row;
}

export const placeCursorPattern = /^(\d{1,15})_([0-9a-f-]{1,36})$/;

export const writePlaceCursor = ({ place, row }: PlaceCursor): string => `${place}_${row}`;

export function readPlaceCursor(text: string): PlaceCursor<string> | undefined {
  const [, place, row] = placeCursorPattern.exec(text) ?? [];
  return row === undefined ? undefined : { place: Number(place), row };
}

/** For lists from newest to oldest. */
export interface PageCursor {
  readonly at: Date;
  readonly id: string;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export const writeCursor = ({ at, id }: PageCursor): string =>
  writePlaceCursor({ place: at.getTime(), row: id });

/** A malformed cursor shows the first page. */
export function readCursor(
  text: string | null | undefined,
  rows: "uuid" | "any" = "any",
): PageCursor | null {
  const cursor = readPlaceCursor(text ?? "");
  const { data: at } = moment.safeParse(new Date(cursor?.place ?? Number.NaN));
  if (!cursor || !at || (rows === "uuid" && !isUuid(cursor.row))) return null;
  return { at, id: cursor.row };
}

/** @param rows one more than the size if there is a next page */
export function pageOf<Row extends PageCursor>(rows: readonly Row[], size: number): Page<Row> {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return { rows: shown, next: last && rows.length > size ? writeCursor(last) : null };
}

export interface CappedCount {
  readonly count: number;
  readonly more: boolean;
}

export const noCount: CappedCount = { count: 0, more: false };

/** @param looked rows scanned, of at most `most` */
export const cappedCountOf = (
  found: number,
  { looked = found, most }: { looked?: number; most: number },
): CappedCount => ({
  count: found,
  more: looked >= most,
});
