import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { missingScopes } from "#server/scopes";
import { findUnrevoked } from "../consents/store";
import { type Approval, approveRequest } from "./approve-request";
import { type AuthorizationRefusal, errorLocation } from "./authorization-response";
import {
  assertBoundTo,
  authorizationFailure,
  bindToUser,
  findPendingAuthorization,
  type PendingRequest,
} from "./pending-authorization";
import { closeAuthorization } from "./store";

/** The player's answer. What can be approved stands in the pending request alone. */
export interface Decision extends Approval {
  readonly requestId: string;
  readonly browserId: string | null;
  readonly user: PortalUser;
  readonly decision: "approve" | "deny";
  readonly origin: Origin;
}

/**
 * Answers a pending request, once.
 * @returns the address at the client that takes the answer there, by 303
 * @throws AuthorizationFailure
 */
export async function decideRequest(ctx: Context, decision: Decision): Promise<{ location: string }> {
  const open = await findPendingAuthorization(ctx, decision);
  const { request } = open;
  await assertAnswerable(ctx, open, decision);
  const location = await ctx.database.transaction(async (tx) => {
    if (!(await closeAuthorization(tx, request.id, ctx.now()))) throw authorizationFailure("decided");
    return decision.decision === "approve"
      ? approve(ctx, tx, { ...decision, ...open })
      : deny(ctx, tx, { ...decision, ...open });
  });
  ctx.metrics.consents.of(decision.decision === "approve" ? "approved" : "denied").inc();
  return { location };
}

/** A refusal needs no confirmation: it gives nothing away. */
async function assertAnswerable(ctx: Context, { request, client }: PendingRequest, { user, decision }: Decision) {
  const pair = { accountId: user.accountId, clientId: client.clientId };
  const held = decision === "deny" ? request.scopes : ((await findUnrevoked(ctx.database.query, pair))?.scopes ?? []);
  if (request.accountId === null) await bindToUser(ctx, { request, held }, user);
  else assertBoundTo(ctx, { request, held }, user);
}

type Answered = Decision & PendingRequest;

const refuse = (ctx: Context, { request }: Answered, refusal: AuthorizationRefusal): string =>
  errorLocation({ ...request, issuer: ctx.settings.baseUrl }, refusal);

async function deny(ctx: Context, tx: Queryable, answered: Answered): Promise<string> {
  const { request, user, origin } = answered;
  const { accountId } = user;
  const { clientId, scopes } = request;
  const actor = `account:${accountId}`;
  await ctx.audit(tx, { act: "consent-denied", actor, accountId, clientId, origin, details: { scopes } });
  return refuse(ctx, answered, { error: "access_denied", description: "The player denied the request." });
}

async function approve(ctx: Context, tx: Queryable, answered: Answered): Promise<string> {
  if (missingScopes(answered.client.scopes, answered.request.scopes).length === 0)
    return approveRequest(ctx, tx, answered);
  return refuse(ctx, answered, {
    error: "invalid_scope",
    description: "The application is no longer registered for one of the scopes.",
  });
}
