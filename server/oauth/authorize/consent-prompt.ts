import type { Settings } from "#server/platform/env";
import { covers, missingScopes, type ScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
import { reachesClientAlone } from "../redirect-uri";
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

type Asker = Pick<RegisteredClient, "kind" | "scopes" | "optionalScopes">;

/**
 * Splits a request into what is new and what is not. Where the client wants a new answer, and by the hosted callback of a public
 * client, whose name proves nothing there, all of it is new.
 * @param held what the live consent covers; empty where there is none
 */
export function consentPromptOf(
  request: Pick<AuthorizationRequest, "scopes" | "prompt" | "redirectUri">,
  client: Asker,
  held: readonly ScopeName[],
  { baseUrl }: Pick<Settings, "baseUrl">,
): ConsentPrompt {
  const isRemembered = reachesClientAlone(client.kind, request.redirectUri, baseUrl);
  const remembered = isRemembered && !wantsConsent(request.prompt) ? held : [];
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
