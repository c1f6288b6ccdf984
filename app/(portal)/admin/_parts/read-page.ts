import { readParam, type SearchParams } from "#app/_lib/search-params";

/** Which page of a list is asked for: the first, unless a whole number within reason says otherwise. */
export async function readPage(params: SearchParams): Promise<number> {
  const text = (await readParam(params, "page")) ?? "1";
  return /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 1;
}
