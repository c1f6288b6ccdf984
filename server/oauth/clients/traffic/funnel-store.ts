import { and, count, eq, gte, inArray, isNotNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { auditLog, requestLog } from "#db/schema/operations";
import type { Funnel } from "./traffic";

const did = (act: string) => sql<boolean>`bool_or(${auditLog.act} = ${act})`;

/** The players who saw the application's consent page since then, by how far they came. */
export async function countFunnel(on: Queryable, clientId: string, since: Date): Promise<Funnel> {
  // Read once and looked up in memory: of the calls of today no index leads to a player's.
  const callers = on
    .select({ accountId: requestLog.accountId })
    .from(requestLog)
    .where(and(eq(requestLog.clientId, clientId), gte(requestLog.at, since), isNotNull(requestLog.accountId)));
  const players = on
    .select({
      shown: did("consent-shown").as("shown"),
      approved: did("consent-approved").as("approved"),
      exchanged: did("tokens-issued").as("exchanged"),
      called: sql<boolean>`${auditLog.accountId} in ${callers}`.as("called"),
    })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.clientId, clientId),
        gte(auditLog.at, since),
        inArray(auditLog.act, ["consent-shown", "consent-approved", "tokens-issued"]),
        isNotNull(auditLog.accountId),
      ),
    )
    .groupBy(auditLog.accountId)
    .as("players");
  const cameTo = (step: ReturnType<typeof sql>) => sql`count(*) filter (where ${step})`.mapWith(Number);
  const exchanged = sql`${players.approved} and ${players.exchanged}`;
  const [row] = await on
    .select({
      shown: count(),
      approved: cameTo(sql`${players.approved}`),
      exchanged: cameTo(exchanged),
      called: cameTo(sql`${exchanged} and ${players.called}`),
    })
    .from(players)
    .where(sql`${players.shown}`);
  return row ?? { shown: 0, approved: 0, exchanged: 0, called: 0 };
}
