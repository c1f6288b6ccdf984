import { timestamp } from "drizzle-orm/pg-core";

/** A column for a moment, to the microsecond; a `Date` here. */
export const instant = () => timestamp({ withTimezone: true, mode: "date" });
