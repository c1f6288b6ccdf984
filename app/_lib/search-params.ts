import { text } from "#server/platform/input-schemas";

export type SearchParams = Promise<Readonly<Record<string, string | string[] | undefined>>>;

/** Longer than any field of a page. */
const Value = text(20_000).min(1);

/** Repeated or unacceptable values count as absent. */
export async function readParam(params: SearchParams, name: string): Promise<string | undefined> {
  return Value.safeParse((await params)[name]).data;
}

/** The first page unless it is a valid number. */
export async function readPage(params: SearchParams): Promise<number> {
  const text = (await readParam(params, "page")) ?? "1";
  return /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 1;
}
