import { and, count, eq, gte, isNull, or, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { notices } from "#db/schema/accounts";
import { applications } from "#db/schema/oauth";
import { webhookEndpoints } from "#db/schema/webhooks";
import { failuresBeforeNotice } from "./endpoint-health";

const name = "failing_applications";

const troubles = (database: Database) =>
  database.statement(name, ({ keyPool }) => {
    const isFailing = or(
      eq(webhookEndpoints.state, "disabled"),
      and(eq(webhookEndpoints.state, "enabled"), gte(webhookEndpoints.failures, failuresBeforeNotice)),
    );
    const failing = keyPool
      .select({ many: count() })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.clientId, applications.clientId), isFailing));
    const told = keyPool
      .select({ one: sql`1` })
      .from(notices)
      .where(
        and(
          eq(notices.accountId, applications.ownerId),
          eq(notices.kind, sql.placeholder("kind")),
          gte(notices.createdAt, sql.placeholder("since")),
          sql`starts_with(${notices.path}, '/developers/apps/' || ${applications.clientId} || '/')`,
        ),
      );
    return keyPool
      .select({
        clientId: applications.clientId,
        errorsJumped: sql<boolean>`exists (${told})`,
        endpoints: sql`(${failing})`.mapWith(Number),
      })
      .from(applications)
      .where(and(eq(applications.ownerId, sql.placeholder("accountId")), isNull(applications.deletedAt)))
      .prepare(name);
  });

/** What fails of each application of an account: whether it was told of its errors since then, and how many endpoints fail. */
export const countTroubles = (
  database: Database,
  { since, ...of }: { readonly accountId: string; readonly kind: string; readonly since: Date },
): Promise<{ clientId: string; errorsJumped: boolean; endpoints: number }[]> =>
  troubles(database).execute({ ...of, since: since.toISOString() });
