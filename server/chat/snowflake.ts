import { z } from "zod";

const largest = 2n ** 63n - 1n;

/** An id of the chat: a positive 64-bit integer, written as decimal text. It never passes through a JavaScript number. */
export const Snowflake = z
  .string()
  .regex(/^[1-9][0-9]{0,18}$/, "must be a number")
  .transform((text) => BigInt(text))
  .refine((id) => id <= largest, "is too large");
