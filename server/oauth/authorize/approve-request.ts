import type { Queryable } from "#db/client";
import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { takeAway } from "../../scopes";
import { lockLiveConsent, saveConsent } from "../consents/store";
import { requestFailure } from "../request-failure";
import { issueCode } from "./issue-code";
import type { OpenRequest } from "./open-request";
import { isOutdated, leftOf, questionOf, type Shown } from "./question";

/** How long an approval lasts, in days; until the player takes it back where there is no number. */
export const approvalDays = { day: 1, month: 30, revoked: null } as const;
const dayMilliseconds = 86_400_000;

/** For how long, and what of the question. */
export interface Approval {
  /** "earlier" leaves the end of the earlier approval as it is. */
  readonly until?: keyof typeof approvalDays | "earlier";
  /** The optional scopes that were left ticked. Needed ones are granted with or without being named; others are not read. */
  readonly ticked?: readonly string[];
  /** What the answered page showed; absent where the answer did not come from a page. */
  readonly shown?: Shown;
}

/**
 * Stores what the player allows and opens a grant with it, in the transaction that closed the request. What is left out of a
 * question that was asked anew is taken from the earlier consent too.
 * @returns the address that takes the code to the client
 * @throws RequestFailure "changed" when the answered page showed another question
 */
export async function approveRequest(
  ctx: Context,
  tx: Queryable,
  { request, client, user, origin, ...approval }: OpenRequest & Approval & { user: PortalUser; origin: Origin },
): Promise<string> {
  const { until = "revoked", ticked = [], shown } = approval;
  const { clientId } = client;
  const { accountId } = user;
  const held = await lockLiveConsent(tx, { accountId, clientId }, ctx.now());
  const question = questionOf(request, client, held?.scopes ?? []);
  if ((until === "earlier" && !held) || (shown && isOutdated(shown, question))) throw requestFailure("changed");

  const left = leftOf(question, ticked);
  const scopes = takeAway(request.scopes, left);
  const earlier = held?.scopes ?? [];
  const allowed = takeAway([...earlier, ...scopes], left);
  const without = [...left, ...earlier.filter((scope) => !allowed.includes(scope))];
  const end = until === "earlier" ? (held?.until ?? null) : endAfter(approvalDays[until], ctx.now());
  const saved = { id: ctx.ids.uuid(), accountId, clientId, scopes: allowed, without, until: end };
  const consentId = await saveConsent(tx, saved, ctx.now());
  if (held) await ctx.announceRevocation(tx, { consentId });

  const details = { scopes, left, until };
  await ctx.audit(tx, { act: "consent-approved", actor: `account:${accountId}`, accountId, clientId, origin, details });
  return issueCode(ctx, tx, { request: { ...request, scopes }, user, consent: { id: consentId, until: end }, origin });
}

const endAfter = (days: number | null, now: Date): Date | null =>
  days === null ? null : new Date(now.getTime() + days * dayMilliseconds);
