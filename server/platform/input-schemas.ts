import { z } from "zod";

/** Text that no store can hold: U+0000, and halves of surrogate pairs. */
export const unstorable = /\p{Surrogate}|\0/u;

export const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((sent) => !unstorable.test(sent), "This text has characters that cannot be stored.");

/** Moments that both JavaScript and PostgreSQL can hold, and that a year of four digits can write. */
export const moment = z.date().min(new Date(0)).max(new Date("9999-12-31T23:59:59.999Z"));

/** A positive integer that PostgreSQL's `integer` can hold. */
export const integer = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);
