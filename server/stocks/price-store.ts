import { eq, inArray, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { excluded } from "#db/excluded";
import { newestOf } from "#db/newest";
import { items, marketPrices } from "#db/schema/stocks";
import type { Item } from "#server/game/contract/torn";

const points = "points";

export const findItemsRead = (on: Queryable) => newestOf(on, items.lastSeen);

export async function saveItems(on: Queryable, seen: readonly Item[], at: Date): Promise<void> {
  if (seen.length === 0) return;
  await on
    .insert(items)
    .values(
      seen.map(({ itemId, marketPrice, ...item }) => ({
        ...{ id: itemId, ...item, lastSeen: at },
        // Averages may have fractions.
        marketPrice: marketPrice === null ? null : Math.round(marketPrice),
      })),
    )
    .onConflictDoUpdate({
      target: items.id,
      set: excluded(items, ["name", "description", "marketPrice", "lastSeen"]),
    });
}

/** Lower-case names. Of duplicates the one seen last wins. */
export async function findItemsByName(
  on: Queryable,
  names: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  if (names.length === 0) return new Map();
  const lower = sql<string>`lower(${items.name})`;
  const rows = await on
    .select()
    .from(items)
    .where(inArray(lower, [...names]))
    .orderBy(items.lastSeen);
  return new Map(
    rows.map(({ id, name, description, marketPrice }) => [
      name.toLowerCase(),
      { itemId: id, name, description, marketPrice },
    ]),
  );
}

export async function findPointsPrice(on: Queryable) {
  const [row] = await on
    .select({ price: marketPrices.price, at: marketPrices.at })
    .from(marketPrices)
    .where(eq(marketPrices.name, points));
  return row;
}

export async function savePointsPrice(on: Queryable, price: number, at: Date): Promise<void> {
  await on
    .insert(marketPrices)
    .values({ name: points, price, at })
    .onConflictDoUpdate({ target: marketPrices.name, set: { price, at } });
}
