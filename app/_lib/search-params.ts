/** A page's query, as Next hands it over. */
export type SearchParams = Promise<Readonly<Record<string, string | string[] | undefined>>>;

/** One parameter's value. A parameter that stands there twice counts as absent: there is no telling which one is meant. */
export async function readParam(params: SearchParams, name: string): Promise<string | undefined> {
  const value = (await params)[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Which page of a list is asked for: the first, unless a whole number within reason says otherwise. */
export async function readPage(params: SearchParams): Promise<number> {
  const text = (await readParam(params, "page")) ?? "1";
  return /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 1;
}
