import { z } from "zod";
import { secondMs } from "#server/platform/time";

/*
 * Fields that many answers share. What we do not use is let through and dropped. Inside the product a record is camelCase,
 * a time is a Date and a chat id a bigint.
 */

/** As wide as ids, levels and the like are stored; those of the game are far below. */
const widest = 2 ** 31 - 1;

export const id = z.int().positive().max(widest);
export const count = z.int().nonnegative();
export const smallCount = count.max(widest);

/** The game writes "none" as null or as 0, depending on the selection. */
export const idOrNone = smallCount.nullable().transform((value) => (value === 0 ? null : value));

/** A text that may be missing, as "": names, tags and sentences of the game. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** A level that the game does not tell is null. */
export const levelOrNone = smallCount.nullish().transform((value) => value ?? null);

/** Unix seconds, up to the end of the year 9999. */
const seconds = count.max(253_402_300_799);
export const instant = seconds.transform((value) => new Date(value * secondMs));
export const instantOrNever = seconds
  .nullish()
  .transform((value) => (value ? new Date(value * secondMs) : null));

/** States are open: the game added two in one year, and an unknown one must not stop a refresh. */
export const Status = z
  .object({ description: text, state: z.string(), until: instantOrNever })
  .transform(({ description, state, until }) => ({ description, state, until }));

export const LastAction = z
  .object({ status: z.string(), timestamp: instantOrNever })
  .transform(({ status, timestamp }) => ({ status, at: timestamp }));

/** Answer of every selection when the game refuses; it comes with HTTP 200. */
export const GameErrorBody = z.object({
  error: z.object({ code: z.int(), error: z.string().optional() }),
});
