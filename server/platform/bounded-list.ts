import { z } from "zod";

/**
 * A list of at most so many items. The number is checked before the items: each item of a long list would otherwise be parsed,
 * and each fault of it told.
 */
export function boundedList<Item extends z.ZodType>(
  item: Item,
  { most, tooMany, noList }: { readonly most: number; readonly tooMany?: string; readonly noList?: string },
): z.ZodType<z.output<Item>[], z.input<Item>[]> {
  const counted = z.array(z.unknown(), noList === undefined ? undefined : { error: noList }).max(most, tooMany);
  return counted.pipe(z.array(item)) as unknown as z.ZodType<z.output<Item>[], z.input<Item>[]>;
}
