import type { Queryable } from "#db/client";
import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { missingScopes } from "../../scopes";
import { saveConsent } from "../consents/store";
import { requestFailure } from "../request-failure";
import { errorLocation, type Refusal } from "./authorization-response";
import { issueCode } from "./issue-code";
import { askUser, type OpenRequest, openRequest } from "./open-request";
import { closeRequest } from "./store";

/** How long an approval lasts, in days; until the player takes it back where there is no number. */
const approvalDays = { day: 1, month: 30, revoked: null } as const;
const dayMilliseconds = 86_400_000;

/** The player's answer. What is approved stands in the parked request alone. */
export interface Decision {
  readonly requestId: string;
  readonly browserId: string | null;
  readonly user: PortalUser;
  readonly decision: "approve" | "deny";
  readonly until?: keyof typeof approvalDays;
  readonly origin: Origin;
}

/**
 * Answers a parked request, once.
 * @returns the address at the client that takes the answer there, by 303
 * @throws RequestFailure
 */
export async function decideRequest(ctx: Context, decision: Decision): Promise<{ location: string }> {
  const open = await openRequest(ctx, decision);
  const { request } = open;
  if (request.accountId === null) await askUser(ctx, request, decision.user);
  else if (request.accountId !== decision.user.accountId) throw requestFailure("foreign");
  const location = await ctx.database.transaction(async (tx) => {
    if (!(await closeRequest(tx, request.id, ctx.now()))) throw requestFailure("decided");
    return decision.decision === "approve"
      ? approve(ctx, tx, { ...decision, ...open })
      : deny(ctx, tx, { ...decision, ...open });
  });
  return { location };
}

type Answered = Decision & OpenRequest;

const refuse = (ctx: Context, { request }: Answered, refusal: Refusal): string =>
  errorLocation({ ...request, issuer: ctx.settings.baseUrl }, refusal);

async function deny(ctx: Context, tx: Queryable, answered: Answered): Promise<string> {
  await tellAudit(ctx, tx, answered, "consent-denied");
  return refuse(ctx, answered, { error: "access_denied", description: "The player denied the request." });
}

async function approve(ctx: Context, tx: Queryable, answered: Answered): Promise<string> {
  const { request, client, user, until = "revoked", origin } = answered;
  if (missingScopes(client.scopes, request.scopes).length > 0)
    return refuse(ctx, answered, {
      error: "invalid_scope",
      description: "The application is no longer registered for one of the scopes.",
    });
  const days = approvalDays[until];
  const end = days === null ? null : new Date(ctx.now().getTime() + days * dayMilliseconds);
  const consentId = await saveConsent(
    tx,
    { id: ctx.ids.uuid(), accountId: user.accountId, clientId: client.clientId, scopes: request.scopes, until: end },
    ctx.now(),
  );
  await tellAudit(ctx, tx, answered, "consent-approved");
  return issueCode(ctx, tx, { request, user, consent: { id: consentId, until: end }, origin });
}

async function tellAudit(ctx: Context, tx: Queryable, answered: Answered, act: "consent-approved" | "consent-denied") {
  const { request, user, until, origin } = answered;
  const { accountId } = user;
  const details = { scopes: request.scopes, until: act === "consent-approved" ? (until ?? "revoked") : null };
  await ctx.audit(tx, { act, actor: `account:${accountId}`, accountId, clientId: request.clientId, origin, details });
}
