import { text } from "#server/platform/input-schemas";

export type SearchParams = Promise<Readonly<Record<string, string | string[] | undefined>>>;

export interface PageProps<Segment extends string = never> {
  readonly params: Promise<Readonly<Record<Segment, string>>>;
  readonly searchParams: SearchParams;
}

/** Longer than any field of a page. */
const Value = text(20_000).min(1);

/** Repeated or unacceptable values count as absent. */
export async function readParam(params: SearchParams, name: string): Promise<string | undefined> {
  return Value.safeParse((await params)[name]).data;
}

export async function readParams<Name extends string>(
  params: SearchParams,
  names: readonly Name[],
): Promise<Record<Name, string | undefined>> {
  const entries = names.map(async (name) => [name, await readParam(params, name)] as const);
  return Object.fromEntries(await Promise.all(entries)) as Record<Name, string | undefined>;
}

/** Cursor of a list of events; undefined unless it is a position of the log. */
export async function readLogPosition(
  params: SearchParams,
  name: string,
): Promise<string | undefined> {
  const text = await readParam(params, name);
  return text && /^\d{1,18}$/.test(text) ? text : undefined;
}

/** 1 unless the address has a valid number. */
export async function readPageNumber(params: SearchParams): Promise<number> {
  const text = (await readParam(params, "page")) ?? "1";
  return /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 1;
}

const rowsPerPage = 50;

/** Pages a list that is read whole. A page after the last counts as the last. */
export async function readPageRange(params: SearchParams, rows: number) {
  const pages = Math.max(1, Math.ceil(rows / rowsPerPage));
  const page = Math.min(await readPageNumber(params), pages);
  return { page, pages, from: (page - 1) * rowsPerPage, to: page * rowsPerPage };
}

/** Reads a datetime-local value as UTC, at the end of its minute or at the start. */
export function readUtc(text: string, edge: "end" | "start" = "end"): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null;
  const at = new Date(`${text}:${edge === "end" ? "59.999" : "00"}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}
