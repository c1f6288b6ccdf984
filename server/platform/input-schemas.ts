import { z } from "zod";

/** PostgreSQL cannot store these characters. */
export const unstorable = /\p{Surrogate}|\0/u;

export const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((sent) => !unstorable.test(sent), "This text has characters that cannot be stored.");

/** JavaScript and PostgreSQL hold these times, with four-digit years. */
export const moment = z.date().min(new Date(0)).max(new Date("9999-12-31T23:59:59.999Z"));

/** PostgreSQL's `integer`, above zero. */
export const integer = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);

/** Counts the items before parsing any. */
export function boundedList<Item extends z.ZodType>(
  item: Item,
  {
    most,
    tooMany,
    noList,
  }: { readonly most: number; readonly tooMany?: string; readonly noList?: string },
): z.ZodType<z.output<Item>[], z.input<Item>[]> {
  const counted = z
    .array(z.unknown(), noList === undefined ? undefined : { error: noList })
    .max(most, tooMany);
  return counted.pipe(z.array(item)) as unknown as z.ZodType<z.output<Item>[], z.input<Item>[]>;
}
