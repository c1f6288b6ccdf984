/** Appends the query's values, except empty ones. */
export function pathWith(
  page: string,
  query: Readonly<Partial<Record<string, string | null>>>,
): string {
  const entries = Object.entries(query).flatMap(([name, text]) => (text ? [[name, text]] : []));
  return entries.length === 0 ? page : `${page}?${new URLSearchParams(entries)}`;
}
