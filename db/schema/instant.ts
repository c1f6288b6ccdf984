import { timestamp } from "drizzle-orm/pg-core";

/** Microseconds in the database, milliseconds in a `Date`. */
export const instant = () => timestamp({ withTimezone: true, mode: "date" });
