import { timestamp } from "drizzle-orm/pg-core";

/** Microsecond precision in the database; a `Date` in code. */
export const instant = () => timestamp({ withTimezone: true, mode: "date" });
