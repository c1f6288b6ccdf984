import { inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { findAppState, setAppState } from "#db/app-state";
import type { Queryable } from "#db/client";
import { excluded, newestOf } from "#db/expressions";
import { items } from "#db/schema/stocks";
import type { Item } from "#server/game/contract/torn";

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

const pointsPrice = "points-price";
const StoredPrice = z.object({ price: z.number(), at: z.coerce.date() });

export async function findPointsPrice(
  on: Queryable,
): Promise<z.output<typeof StoredPrice> | undefined> {
  const stored = await findAppState(on, pointsPrice);
  return stored === undefined ? undefined : StoredPrice.parse(JSON.parse(stored));
}

export const savePointsPrice = (on: Queryable, price: number, at: Date): Promise<void> =>
  setAppState(on, pointsPrice, JSON.stringify({ price, at }));
