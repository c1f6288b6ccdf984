import { text } from "#server/platform/input-schemas";

/** A page's query, as Next hands it over. */
export type SearchParams = Promise<Readonly<Record<string, string | string[] | undefined>>>;

/** Longer than any field of a page. */
const Value = text(20_000).min(1);

/**
 * One parameter's value. One that is given twice, or that no procedure would take, counts as absent.
 */
export async function readParam(params: SearchParams, name: string): Promise<string | undefined> {
  return Value.safeParse((await params)[name]).data;
}

/** Which page of a list is asked for: the first, unless a whole number within reason says otherwise. */
export async function readPage(params: SearchParams): Promise<number> {
  const text = (await readParam(params, "page")) ?? "1";
  return /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 1;
}
