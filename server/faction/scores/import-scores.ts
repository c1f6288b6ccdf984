import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { TooManyRequests } from "#server/failures";
import { keepImport } from "#server/stats/imports/keep-import";
import { type ImportFault, parseImport } from "#server/stats/imports/parse-import";
import { requireScoresRight } from "./require-scores-right";

/** Imports a minute of one account; each may be thousands of rows. */
const importsAMinute = 10;

export type Imported =
  | { readonly imported: number; readonly known: number }
  | { readonly faults: readonly ImportFault[] };

/**
 * Takes a stat site's export into the user's faction, for its members alone; all of it, or nothing where a row is wrong.
 * @returns how many scores were new, and how many told nothing newer; or what is wrong, by line
 * @throws UnknownFaction, InsufficientFactionPermissions, TooManyRequests
 */
export async function importScores(
  ctx: Context,
  user: PortalUser,
  { text, origin }: { readonly text: string; readonly origin: Origin },
): Promise<Imported> {
  const { accountId } = user;
  await requireScoresRight(ctx.database.query, user);
  const take = { policy: "stat-imports", subject: accountId, limit: importsAMinute };
  const { allowed, reset } = await ctx.limiter.take(take);
  if (!allowed) throw TooManyRequests.because({ retryAfter: reset });
  const parsed = parseImport(text, ctx.now());
  if ("faults" in parsed) return parsed;

  return ctx.database.transaction(async (tx) => {
    // Again, in the transaction: a right that ended meanwhile writes nothing.
    const factionId = await requireScoresRight(tx, user);
    const imported = await keepImport(tx, { factionId, rows: parsed.rows });
    const details = { faction: factionId, rows: parsed.rows.length, imported };
    await ctx.audit(tx, { act: "stats-imported", actor: `account:${accountId}`, accountId, origin, details });
    return { imported, known: parsed.rows.length - imported };
  });
}
