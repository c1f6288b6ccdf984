import { and, desc, eq, gte, inArray, isNull, lte, or } from "drizzle-orm";
import { z } from "zod";
import type { Queryable } from "#db/client";
import { auditLog } from "#db/schema/operations";
import type { PageCursor } from "#server/platform/paging";
import {
  type FailedAct,
  type FailedAttempt,
  failedActs,
  type SucceededAct,
  succeededActs,
} from "./log-entries";
import { isAfter } from "./store";

const word = z.string().nullable().catch(null);
const names = z.array(z.string()).nullable().catch(null);
const authorization = z
  .enum(["none", "basic", "basic-empty-secret", "basic-malformed", "other-scheme"])
  .nullable()
  .catch(null);
const Row = z.object({
  id: z.bigint().transform(String),
  at: z.date(),
  act: z.string().pipe(z.enum(failedActs)),
  requestId: z.string().nullable(),
  details: z.looseObject({}).pipe(
    z.object({
      endpoint: word,
      error: word,
      description: word,
      redirectUri: word,
      authorization,
      fields: names,
      emptyFields: names,
    }),
  ),
});

const columns = {
  id: auditLog.id,
  at: auditLog.at,
  act: auditLog.act,
  requestId: auditLog.requestId,
  details: auditLog.details,
};

function attemptOf(row: z.input<typeof Row>): FailedAttempt {
  const { details, ...attempt } = Row.parse(row);
  return { ...attempt, ...details };
}

export async function listFailedAttempts(
  on: Queryable,
  of: {
    readonly clientId: string;
    readonly since: Date;
    readonly after: PageCursor | null;
    readonly limit: number;
  },
): Promise<FailedAttempt[]> {
  const rows = await on
    .select(columns)
    .from(auditLog)
    .where(
      and(
        eq(auditLog.clientId, of.clientId),
        gte(auditLog.at, of.since),
        inArray(auditLog.act, [...failedActs]),
        isAfter(auditLog, of.after),
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(of.limit);
  return rows.map(attemptOf);
}

interface AskedRequest {
  readonly clientIds: readonly string[];
  readonly requestId: string;
  readonly since: Date;
  readonly until: Date;
  /** Narrow enough to search calls without an application. */
  readonly exact: boolean;
}

const ofRequest = ({ requestId, since, until }: AskedRequest) =>
  and(gte(auditLog.at, since), lte(auditLog.at, until), eq(auditLog.requestId, requestId));

export async function findFailedAttempt(
  on: Queryable,
  of: AskedRequest,
): Promise<(FailedAttempt & { readonly clientId: string | null }) | undefined> {
  const isOwn = inArray(auditLog.clientId, [...of.clientIds]);
  const isNobodys = and(
    isNull(auditLog.clientId),
    inArray(auditLog.act, ["authorization.refused", "token_request.refused"] satisfies FailedAct[]),
  );
  const [row] = await on
    .select({ ...columns, clientId: auditLog.clientId })
    .from(auditLog)
    .where(
      and(
        ofRequest(of),
        inArray(auditLog.act, [...failedActs]),
        of.exact ? or(isOwn, isNobodys) : isOwn,
      ),
    )
    // The end of a grant is written before the refusal that it caused.
    .orderBy(auditLog.id)
    .limit(1);
  return row && { ...attemptOf(row), clientId: row.clientId };
}

/** The last of several. */
export async function findSuccess(
  on: Queryable,
  of: AskedRequest,
): Promise<
  { readonly clientId: string | null; readonly act: SucceededAct; readonly at: Date } | undefined
> {
  const [row] = await on
    .select({ clientId: auditLog.clientId, act: auditLog.act, at: auditLog.at })
    .from(auditLog)
    .where(
      and(
        ofRequest(of),
        inArray(auditLog.clientId, [...of.clientIds]),
        inArray(auditLog.act, [...succeededActs]),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(1);
  const act = succeededActs.find((known) => known === row?.act);
  return row && act && { ...row, act };
}
