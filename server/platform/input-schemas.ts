import { z } from "zod";

/** U+0000 and lone surrogates, which no store can hold. */
export const unstorable = /\p{Surrogate}|\0/u;

export const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((sent) => !unstorable.test(sent), "This text has characters that cannot be stored.");

/** The common range of JavaScript and PostgreSQL, with four-digit years. */
export const moment = z.date().min(new Date(0)).max(new Date("9999-12-31T23:59:59.999Z"));

/** The range of PostgreSQL's `integer`. */
export const integer = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);
