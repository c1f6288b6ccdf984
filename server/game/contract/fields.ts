import { z } from "zod";

/*
 * Fields that many answers share. What we do not use is let through and dropped. Inside the product a record is camelCase,
 * a time is a Date and a chat id a bigint.
 */

export const id = z.int().positive();
export const count = z.int().nonnegative();

/** The game writes "none" as null or as 0, depending on the selection. */
export const idOrNone = count.nullable().transform((value) => (value === 0 ? null : value));

/** Unix seconds. */
export const instant = z.int().transform((seconds) => new Date(seconds * 1000));
export const instantOrNever = count.nullish().transform((seconds) => (seconds ? new Date(seconds * 1000) : null));

/** States are open: the game added two in one year, and an unknown one must not stop a refresh. */
export const Status = z
  .object({ description: z.string(), state: z.string(), until: instantOrNever })
  .transform(({ description, state, until }) => ({ description, state, until }));

export const LastAction = z
  .object({ status: z.string(), timestamp: instantOrNever })
  .transform(({ status, timestamp }) => ({ status, at: timestamp }));
