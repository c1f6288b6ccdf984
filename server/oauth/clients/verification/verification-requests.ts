import type { Queryable } from "#db/client";
import type { Actor, PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { charge } from "#server/platform/limiter/limiter";
import { whyNotRedirectUri } from "../../redirect-uri";
import { missingForPlayers } from "../application-fields";
import { whyNotApplicationName } from "../application-name";
import { hostOfPage } from "../contract";
import { lockApplication, requireApplication } from "../own-applications";
import { type Application, saveApplication } from "../store";
import {
  challengeOf,
  isLocalDomain,
  isOnDomain,
  proofFileUrl,
  proofRecordName,
} from "./domain-proof";
import {
  closeVerificationRequest,
  countUnusableEndpoints,
  findDomain,
  findVerificationRequest,
  openVerificationRequest,
} from "./store";

interface OneApplication {
  readonly clientId: string;
}

type Checked = Pick<
  Application,
  | ("clientId" | "kind" | "name" | "description" | "redirectUris" | "clientUri" | "tosUri")
  | ("privacyUri" | "privacy" | "provenDomain" | "openedAt" | "suspended")
>;

/** The owner can ask for verification once all items are met. */
export async function readChecklist(on: Queryable, application: Checked) {
  const { clientId, kind, name, description, redirectUris, clientUri, provenDomain } = application;
  return [
    { label: "A proven domain", met: provenDomain !== null },
    { label: "Home page on that domain", met: isOnDomain(hostOfPage(clientUri), provenDomain) },
    { label: "A description", met: description !== "" },
    {
      label: "Pages and privacy details for players",
      met: missingForPlayers(kind, application).length === 0,
    },
    { label: "Open to players", met: application.openedAt !== null },
    { label: "Not suspended", met: !application.suspended },
    {
      label: "Name and redirect URIs that are accepted today",
      met: !whyNotApplicationName(name) && !redirectUris.some(whyNotRedirectUri),
    },
    {
      label: "No webhook endpoint that is unverified or switched off",
      met: (await countUnusableEndpoints(on, clientId)) === 0,
    },
  ];
}

/** @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW */
export async function showVerification(
  ctx: Context,
  user: PortalUser,
  { clientId }: OneApplication,
) {
  const on = ctx.database.query;
  const application = await requireApplication(on, user, clientId, "settings");
  const { ownerId, verified, role } = application;
  const known = await findDomain(on, clientId);
  return {
    verified,
    mayRequest: role === "owner",
    domain: known
      ? {
          ...known,
          challenge: challengeOf({ clientId, ownerId, domain: known.domain }),
          recordName: isLocalDomain(known.domain) ? null : proofRecordName(known.domain),
          fileAddress: proofFileUrl(known.domain),
        }
      : null,
    checklist: await readChecklist(on, application),
    request: (await findVerificationRequest(on, clientId)) ?? null,
  };
}

/** Each request enters the audit log. */
const requestsAMinute = 5;

/**
 * Idempotent: at most one request is open.
 * @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW · TooManyRequests · GeneralError if the
 * application is verified, or the checklist is incomplete
 */
export async function requestVerification(
  ctx: Context,
  by: PortalUser,
  { clientId }: OneApplication,
): Promise<void> {
  await requireApplication(ctx.database.query, by, clientId, "ownership");
  const window = { policy: "verification-requests", subject: by.accountId, limit: requestsAMinute };
  await charge(ctx, window, "requests");
  await ctx.database.transaction(async (tx) => {
    const application = await lockApplication(tx, by, clientId, "ownership");
    if (application.verified)
      throw GeneralError.because({ message: "The application is verified already." });
    const list = await readChecklist(tx, application);
    const unmet = list.filter(({ met }) => !met).map(({ label }) => label);
    if (unmet.length > 0)
      throw GeneralError.because({ message: `Still missing: ${unmet.join("; ")}.` });
    const last = await findVerificationRequest(tx, clientId);
    if (last?.outcome === null) return;
    await openVerificationRequest(tx, { clientId, requestedAt: ctx.now() });
    // An admin's decision names a version, so a new version outdates open decisions.
    await saveApplication(tx, clientId, { version: application.version + 1 });
    await ctx.audit(tx, by, "verification_request.made", { clientId });
  });
}

/** Idempotent. @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW */
export async function withdrawRequest(
  ctx: Context,
  by: PortalUser,
  { clientId }: OneApplication,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const { version } = await lockApplication(tx, by, clientId, "ownership");
    if (await withdrawOpenRequest(ctx, tx, by, { clientId }))
      await saveApplication(tx, clientId, { version: version + 1 });
  });
}

/** Needs the application's lock. The caller audits. @returns false if no request is open */
export const closeRequest = (
  ctx: Context,
  tx: Queryable,
  end: OneApplication & {
    readonly outcome: "verified" | "declined" | "withdrawn";
    readonly reason?: string | undefined;
  },
): Promise<boolean> =>
  closeVerificationRequest(tx, end.clientId, {
    outcome: end.outcome,
    closedAt: ctx.now(),
    reason: end.reason ?? null,
  });

/** Needs the application's lock. @returns false if no request is open */
export async function withdrawOpenRequest(
  ctx: Context,
  tx: Queryable,
  by: Actor,
  { clientId }: OneApplication,
): Promise<boolean> {
  if (!(await closeRequest(ctx, tx, { clientId, outcome: "withdrawn" }))) return false;
  await ctx.audit(tx, by, "verification_request.withdrawn", { clientId });
  return true;
}
