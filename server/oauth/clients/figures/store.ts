import { and, count, desc, eq, gte, inArray, min, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { applications, consents } from "#db/schema/oauth";
import { requestLog } from "#db/schema/operations";
import { type CappedCount, cappedCountOf, noCount } from "#server/platform/capped-count";
import { dayMs } from "#server/platform/durations";
import { consentHolds } from "../../consents/store";
import { callCountLimit, playerCountLimit } from "../count-limits";
import { countLiveGrants } from "../live-grants/store";
import { hasFailed } from "../traffic/store";

/** How an application stands. */
export interface ApplicationFigures {
  /** Players with a live consent. */
  readonly users: CappedCount;
  /** Live access tokens on the newest devices. */
  readonly tokens: CappedCount;
  /** Calls of the last 24 hours. */
  readonly calls: CappedCount;
  /** Those of the counted calls, which are the newest, that ended in an error. */
  readonly errors: number;
}

export const noFigures: ApplicationFigures = { users: noCount, tokens: noCount, calls: noCount, errors: 0 };

/** How an application stands now. */
export async function applicationFigures(on: Queryable, clientId: string, now: Date): Promise<ApplicationFigures> {
  return (await listFigures(on, [clientId], now)).get(clientId) ?? noFigures;
}

/** How these applications stand now: three statements, however many there are, each of which reads a bounded part by an index. */
export async function listFigures(
  on: Queryable,
  clientIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ApplicationFigures>> {
  const [users, live, traffic] = await Promise.all([
    countUsers(on, { clientIds, most: playerCountLimit }, now),
    countLiveGrants(on, clientIds, now),
    countCalls(on, clientIds, now),
  ]);
  return new Map(
    clientIds.map((clientId) => {
      const { calls, errors } = traffic.get(clientId) ?? noFigures;
      return [
        clientId,
        { users: users.get(clientId) ?? noCount, tokens: live.get(clientId)?.tokens ?? noCount, calls, errors },
      ];
    }),
  );
}

/** How many players have a live consent to each of these applications; at `most` counting stops. */
export async function countUsers(
  on: Queryable,
  { clientIds, most }: { readonly clientIds: readonly string[]; readonly most: number },
  now: Date,
): Promise<ReadonlyMap<string, CappedCount>> {
  if (clientIds.length === 0) return new Map();
  // One live consent per player and application, which an index guards.
  const found = on
    .select({ until: consents.until })
    .from(consents)
    .where(and(eq(consents.clientId, applications.clientId), consentHolds(now)))
    .limit(most)
    .as("found");
  const counted = on
    .select({ users: count().as("users") })
    .from(found)
    .as("counted");
  const rows = await on
    .select({ clientId: applications.clientId, users: counted.users })
    .from(applications)
    .innerJoinLateral(counted, sql`true`)
    .where(inArray(applications.clientId, [...clientIds]));
  return new Map(rows.map(({ clientId, users }) => [clientId, cappedCountOf(users, { most })]));
}

/** The calls are counted in an index alone, and the errors among them in that of what failed. */
async function countCalls(
  on: Queryable,
  clientIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Pick<ApplicationFigures, "calls" | "errors">>> {
  if (clientIds.length === 0) return new Map();
  const since = new Date(now.getTime() - dayMs);
  const ofApplication = eq(requestLog.clientId, applications.clientId);
  const newest = on
    .select({ at: requestLog.at })
    .from(requestLog)
    .where(and(ofApplication, gte(requestLog.at, since)))
    .orderBy(desc(requestLog.at))
    .limit(callCountLimit)
    .as("newest");
  const counted = on
    .select({ calls: count().as("calls"), first: min(newest.at).as("first") })
    .from(newest)
    .as("counted");
  const failed = on
    .select({ errors: count().as("errors") })
    .from(requestLog)
    .where(and(ofApplication, hasFailed, gte(requestLog.at, counted.first)))
    .as("failed");
  const rows = await on
    .select({ clientId: applications.clientId, calls: counted.calls, errors: failed.errors })
    .from(applications)
    .innerJoinLateral(counted, sql`true`)
    .innerJoinLateral(failed, sql`true`)
    .where(inArray(applications.clientId, [...clientIds]));
  return new Map(
    rows.map(({ clientId, calls, errors }) => [
      clientId,
      // Calls of the very instant at which counting stopped may stand on either side.
      { calls: cappedCountOf(calls, { most: callCountLimit }), errors: Math.min(errors, calls) },
    ]),
  );
}
