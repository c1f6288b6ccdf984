import { and, eq } from "drizzle-orm";
import type { Queryable } from "./client";
import { appState } from "./schema/operations";
import { first, hasRows } from "./select";

const selectValue = (on: Queryable, key: string) =>
  on.select({ value: appState.value }).from(appState).where(eq(appState.key, key));

export async function findAppState(on: Queryable, key: string): Promise<string | undefined> {
  return (await first(selectValue(on, key)))?.value;
}

export async function ensureAppState(on: Queryable, key: string, value: string): Promise<string> {
  await on.insert(appState).values({ key, value }).onConflictDoNothing();
  return (await findAppState(on, key)) ?? value;
}

export async function setAppState(on: Queryable, key: string, value: string): Promise<void> {
  await on
    .insert(appState)
    .values({ key, value })
    .onConflictDoUpdate({ target: appState.key, set: { value } });
}

/** @returns false if another value is stored */
export function compareAndSetAppState(
  on: Queryable,
  key: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  return hasRows(
    on
      .update(appState)
      .set({ value: to })
      .where(and(eq(appState.key, key), eq(appState.value, from)))
      .returning({ key: appState.key }),
  );
}

/** Inserts a missing row, because only a row can be locked. */
export async function lockAppState(tx: Queryable, key: string, value: string): Promise<string> {
  await tx.insert(appState).values({ key, value }).onConflictDoNothing();
  return (await first(selectValue(tx, key).for("update")))?.value ?? value;
}
