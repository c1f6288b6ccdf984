/** What somebody typed along with a command, by name. */
export type Values = ReadonlyMap<string, string | number>;

/** A request's number, as typed or as a button carries it; empty where there is none. */
export const requestNumber = (values: Values): string => String(values.get("id") ?? "");
