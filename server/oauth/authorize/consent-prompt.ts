import type { Settings } from "#server/platform/env";
import { covers, missingScopes, type ScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
import type { ApprovedIdentity } from "../consents/store";
import { reachesClientAlone, redirectHosts } from "../redirect-uri";
import { type AuthorizationRequest, wantsConsent } from "./authorization-request";

/** The scopes that a player is asked for, and those that are granted because they were allowed before. */
export interface ConsentPrompt {
  /** Allowed before: listed, and not asked again. */
  readonly allowed: readonly ScopeName[];
  /** Decided now. */
  readonly asked: readonly ScopeName[];
  /** Those of the asked ones that may be left out. */
  readonly optional: readonly ScopeName[];
}

type Asker = Pick<RegisteredClient, "kind" | "name" | "redirectUris" | "scopes" | "optionalScopes">;

/** What of an application's identity the player has not approved. */
export interface ChangedIdentity {
  /** The name under which it was approved; null where that is its name. */
  readonly formerName: string | null;
  readonly newHosts: readonly string[];
}

/** What changed since the approval; null where nothing did. */
export function changedSince(
  { applicationName, redirectHosts: approved }: ApprovedIdentity,
  client: Pick<Asker, "name" | "redirectUris">,
): ChangedIdentity | null {
  const formerName = applicationName === client.name ? null : applicationName;
  const newHosts = redirectHosts(client).filter((host) => !approved.includes(host));
  return formerName === null && newHosts.length === 0 ? null : { formerName, newHosts };
}

type Held = ApprovedIdentity & { readonly scopes: readonly ScopeName[] };

/**
 * Splits a request into what is new and what is not. All of it is new where the client wants a new answer, where it has another name
 * or redirect host than the player approved, and by the hosted callback of a public client, whose name proves nothing there.
 * @param held the live consent
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
    changedSince(held, client) === null &&
    reachesClientAlone(client.kind, request.redirectUri, baseUrl);
  const remembered = isRemembered ? held.scopes : [];
  const asked = missingScopes(remembered, request.scopes);
  const allowed = request.scopes.filter((scope) => !asked.includes(scope));
  return { allowed, asked, optional: optionalAmong(asked, client) };
}

/** Scopes that let an application use the player's game key or a faction's money. */
const sensitive: readonly ScopeName[] = ["service_key:usage", "faction:banking"];

/**
 * Whether a consent to these scopes would be the first to hold a sensitive one: the player confirms that before.
 * @param held what a consent holds that was not revoked, be it over
 */
export const wantsConfirmation = (
  asked: readonly ScopeName[],
  held: readonly ScopeName[],
): boolean => sensitive.some((scope) => covers(asked, scope) && !covers(held, scope));

/** A scope that a needed one covers cannot be left out: unticking it would change nothing. */
function optionalAmong(asked: readonly ScopeName[], client: Asker): ScopeName[] {
  const needed = asked.filter((scope) => !isOptional(scope, client));
  return asked.filter((scope) => !covers(needed, scope));
}

/** A scope that the application is not registered for by name is part of `faction`, and as optional as that. */
const isOptional = (scope: ScopeName, { scopes, optionalScopes }: Asker): boolean =>
  optionalScopes.includes(scopes.includes(scope) ? scope : "faction");

/** The scopes that the page showed when the player answered; those that changed meanwhile must be asked again. */
export interface DisplayedPrompt {
  readonly allowed: readonly string[];
  readonly optional: readonly string[];
}

/**
 * True where the page that was answered misled: it called something allowed before that is not, or let something be left out
 * that the application now needs.
 */
export const isOutdated = ({ allowed, optional }: DisplayedPrompt, now: ConsentPrompt): boolean =>
  now.asked.some(
    (scope) =>
      allowed.includes(scope) || (optional.includes(scope) && !now.optional.includes(scope)),
  );

/** Of the asked scopes, the optional ones whose boxes were unticked. Needed ones are let through with the approval itself. */
export const declinedScopes = (
  { optional }: ConsentPrompt,
  ticked: readonly string[],
): ScopeName[] => optional.filter((scope) => !ticked.includes(scope));
