import { eq } from "drizzle-orm";
import type { Queryable } from "./client";
import { facts } from "./schema/operations";

/** The fact stored under `key`; the first caller of all instances stores `first`, and everybody gets the same answer. */
export async function rememberAppState(on: Queryable, key: string, first: string): Promise<string> {
  await on.insert(facts).values({ key, value: first }).onConflictDoNothing();
  const [row] = await on.select({ value: facts.value }).from(facts).where(eq(facts.key, key));
  return row?.value ?? first;
}

/** The fact stored under `key`, if there is one. */
export async function findAppState(on: Queryable, key: string): Promise<string | undefined> {
  const [row] = await on.select({ value: facts.value }).from(facts).where(eq(facts.key, key));
  return row?.value;
}

/** Stores a fact in place of the one under `key`. */
export async function setAppState(on: Queryable, key: string, value: string): Promise<void> {
  await on.insert(facts).values({ key, value }).onConflictDoUpdate({ target: facts.key, set: { value } });
}

/** The fact stored under `key`, held until the end of the transaction; `first` where there was none. */
export async function lockAppState(tx: Queryable, key: string, first: string): Promise<string> {
  await tx.insert(facts).values({ key, value: first }).onConflictDoNothing();
  const [row] = await tx.select({ value: facts.value }).from(facts).where(eq(facts.key, key)).for("update");
  return row?.value ?? first;
}
