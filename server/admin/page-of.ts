/** One page of a list, and whether another follows. */
export interface PageOf<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

const pageLength = 50;

/**
 * Reads one page of a list that is ordered by time.
 * @param page counted from 1
 * @param read gives the rows of this window
 */
export async function pageOf<Row>(
  page: number,
  read: (window: { readonly limit: number; readonly offset: number }) => Promise<readonly Row[]>,
): Promise<PageOf<Row>> {
  const rows = await read({ limit: pageLength + 1, offset: (page - 1) * pageLength });
  return { rows: rows.slice(0, pageLength), more: rows.length > pageLength };
}
