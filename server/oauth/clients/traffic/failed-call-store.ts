import { sql } from "drizzle-orm";
import { requestLog } from "#db/schema/operations";

/** The first status that tells of an error. */
const firstError = 400;

/** Whether a call failed. Written out as in the index of failed calls: with a parameter the index would not be used. */
export const hasFailed = sql`${requestLog.status} >= ${sql.raw(String(firstError))}`;
