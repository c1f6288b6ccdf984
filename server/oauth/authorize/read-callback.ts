import { z } from "zod";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { text } from "#server/platform/input-schemas";
import { hasSecretForm } from "#server/platform/secret-text";
import { isClientId } from "../clients/client";
import { isPermittedTo } from "../clients/own-applications";
import type { RegisteredClient } from "../clients/store";
import { findCode, type StoredCode } from "../grants/store";
import { type AuthorizationErrorWord, authorizationErrors } from "./authorization-messages";

const parameter = text(4_096).optional();
export const CallbackQuery = z.object({
  code: parameter,
  state: parameter,
  iss: parameter,
  error: parameter,
});
export type CallbackQuery = z.output<typeof CallbackQuery>;

/** Our errors and the rest of RFC 6749 section 4.1.2.1; "other" replaces any other text. */
export const callbackErrors = [
  ...(Object.keys(authorizationErrors) as AuthorizationErrorWord[]),
  "unauthorized_client",
  "server_error",
  "temporarily_unavailable",
  "other",
] as const;
export type CallbackError = (typeof callbackErrors)[number];

/** Matches random values in the usual encodings, but no sentence. */
const opaque = /^[A-Za-z0-9._~+/=-]{1,256}$/;

/**
 * Anyone can write a callback address, so only a code of our form and an opaque state are shown,
 * and only with our `iss` (RFC 9207).
 */
export function readCallback(sent: CallbackQuery, issuer: string) {
  const nothing = { outcome: { kind: "nothing" as const }, state: null };
  const state = sent.state !== undefined && opaque.test(sent.state) ? sent.state : null;
  if (sent.iss !== issuer) return nothing;
  if (sent.error !== undefined) {
    const error = callbackErrors.find((word) => word === sent.error) ?? "other";
    return { outcome: { kind: "refused" as const, error }, state };
  }
  if (sent.code === undefined || !hasSecretForm("code", sent.code)) return nothing;
  return { outcome: { kind: "code" as const, code: sent.code }, state };
}

type CallbackAnswer = ReturnType<typeof readCallback>;

export type CallbackView = NonNullable<Awaited<ReturnType<typeof showCallback>>>;

export type LocalCallbackRelay = NonNullable<CallbackView["handOn"]>;

/** Null for an unknown client, or for a visitor that may not see the page. */
export async function showCallback(
  ctx: Context,
  asked: {
    readonly clientId: string;
    readonly sent: CallbackQuery;
    readonly user: PortalUser | null;
  },
) {
  const { clientId, sent, user } = asked;
  const client = isClientId(clientId) ? await ctx.tokens.findClient(clientId) : undefined;
  if (!client) return null;
  const develops = await isPermittedTo(ctx, user, clientId, "tokens");
  if (client.kind === "confidential" && !develops) return null;
  const answer = readCallback(sent, ctx.settings.baseUrl);
  const code = await findCodeOf(ctx, client, answer);
  const isDevelopers = user !== null && develops && isFor(user, answer, code);
  // Players may be tricked into bringing a code here, so developers see only their own codes.
  if (client.kind === "confidential" && !isDevelopers) return null;
  return {
    applicationName: client.name,
    answer,
    code: code ? { until: code.expiresAt, now: ctx.now(), used: code.consumedAt !== null } : null,
    handOn: isDevelopers
      ? {
          kind: client.kind,
          /** The authorization request had a PKCE challenge. */
          hasVerifier: Boolean(code?.codeChallenge),
          parameters: handOnParameters(sent),
        }
      : null,
  };
}

/** An error belongs to no account, and holds nothing that could be used. */
const isFor = (user: PortalUser, answer: CallbackAnswer, code: StoredCode | undefined): boolean =>
  answer.outcome.kind === "code"
    ? code?.accountId === user.accountId
    : answer.outcome.kind === "refused";

async function findCodeOf(
  ctx: Context,
  client: RegisteredClient,
  { outcome }: CallbackAnswer,
): Promise<StoredCode | undefined> {
  if (outcome.kind !== "code") return undefined;
  const found = await findCode(ctx.database.query, ctx.keyring.hmacs("token", outcome.code));
  return found?.clientId === client.clientId ? found : undefined;
}

function handOnParameters({ code, error, state, iss }: CallbackQuery) {
  const named = Object.entries(error === undefined ? { code, state, iss } : { error, state, iss });
  return named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
