import type { Queryable } from "#db/client";
import { requestLog } from "#db/schema/operations";
import type { RequestLogLine } from "./request-log";

/** Appends lines to the request log in one statement. */
export async function insertRequestLines(on: Queryable, lines: readonly RequestLogLine[]): Promise<void> {
  if (lines.length > 0) await on.insert(requestLog).values([...lines]);
}
