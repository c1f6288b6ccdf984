import { z } from "zod";

/** The count is checked first, so that a long list is not parsed item by item. */
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
