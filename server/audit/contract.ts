import { z } from "zod";

/** The id of an event, as a page of the log is asked with it. PostgreSQL's bigint has room for 18 digits. */
export const EventId = z.string().regex(/^\d{1,18}$/);
