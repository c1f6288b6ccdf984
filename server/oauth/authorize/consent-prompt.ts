import { z } from "zod";
import type { Settings } from "#server/platform/env";
import { dayMs } from "#server/platform/time";
import { covers, missingScopes, type ScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/store";
import type { ApprovedIdentity } from "../consents/store";
import { reachesClientAlone, redirectHostsOf } from "../redirect-uri";
import { type AuthorizationRequest, wantsConsent } from "./authorization-messages";

/** In days; null means no end. */
export const approvalDays = { day: 1, month: 30, revoked: null } as const;

export const ApprovalLength = z.enum(Object.keys(approvalDays) as (keyof typeof approvalDays)[]);
export type ApprovalLength = keyof typeof approvalDays;

export function endOfApproval(length: ApprovalLength, now: Date): Date | null {
  const days = approvalDays[length];
  return days === null ? null : new Date(now.getTime() + days * dayMs);
}

export interface ConsentPrompt {
  readonly allowed: readonly ScopeName[];
  readonly asked: readonly ScopeName[];
  readonly optional: readonly ScopeName[];
}

type Asker = Pick<
  RegisteredClient,
  "kind" | "name" | "ownerId" | "redirectUris" | "scopes" | "optionalScopes"
>;

export interface IdentityChange {
  /** The name at the approval; null if unchanged. */
  readonly formerName: string | null;
  readonly newHosts: readonly string[];
  readonly newOwner: boolean;
}

export function findIdentityChange(
  { applicationName, applicationOwner, redirectHosts: approved }: ApprovedIdentity,
  client: Pick<Asker, "name" | "ownerId" | "redirectUris">,
): IdentityChange | null {
  const formerName = applicationName === client.name ? null : applicationName;
  const newHosts = redirectHostsOf(client).filter((host) => !approved.includes(host));
  const newOwner = applicationOwner !== client.ownerId;
  const isSame = formerName === null && newHosts.length === 0 && !newOwner;
  return isSame ? null : { formerName, newHosts, newOwner };
}

type Held = ApprovedIdentity & { readonly scopes: readonly ScopeName[] };

/**
 * All scopes are asked again if the request wants it, if the client's name, owner or redirect hosts
 * changed, or if the redirect URI does not prove a public client's identity.
 */
export function consentPromptOf(
  request: Pick<AuthorizationRequest, "scopes" | "prompt" | "redirectUri">,
  client: Asker,
  held: Held | undefined,
  { baseUrl }: Pick<Settings, "baseUrl">,
): ConsentPrompt {
  const isRemembered =
    held &&
    !wantsConsent(request.prompt) &&
    findIdentityChange(held, client) === null &&
    reachesClientAlone(client.kind, request.redirectUri, baseUrl);
  const remembered = isRemembered ? held.scopes : [];
  const asked = missingScopes(remembered, request.scopes);
  const allowed = request.scopes.filter((scope) => !asked.includes(scope));
  return { allowed, asked, optional: optionalAmong(asked, client) };
}

/** Scopes that open the player's game key or a faction's money. */
const sensitive: readonly ScopeName[] = ["service_key:usage", "faction:banking"];

/** @param held scopes of a consent that was not revoked, even if it has expired */
export const wantsConfirmation = (
  asked: readonly ScopeName[],
  held: readonly ScopeName[],
): boolean => sensitive.some((scope) => covers(asked, scope) && !covers(held, scope));

/** A scope that a needed scope covers is not optional: unticking it would change nothing. */
function optionalAmong(asked: readonly ScopeName[], client: Asker): ScopeName[] {
  const needed = asked.filter((scope) => !isOptional(scope, client));
  return asked.filter((scope) => !covers(needed, scope));
}

/** A scope registered only through `faction` is as optional as `faction`. */
const isOptional = (scope: ScopeName, { scopes, optionalScopes }: Asker): boolean =>
  optionalScopes.includes(scopes.includes(scope) ? scope : "faction");

export interface DisplayedPrompt {
  readonly allowed: readonly string[];
  readonly optional: readonly string[];
}

/** True if the page showed an asked scope as allowed, or a needed scope as optional. */
export const isOutdated = ({ allowed, optional }: DisplayedPrompt, now: ConsentPrompt): boolean =>
  now.asked.some(
    (scope) =>
      allowed.includes(scope) || (optional.includes(scope) && !now.optional.includes(scope)),
  );

export const declinedScopes = (
  { optional }: ConsentPrompt,
  ticked: readonly string[],
): ScopeName[] => optional.filter((scope) => !ticked.includes(scope));
