import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { networkOf } from "#server/platform/peer-address";
import type { RegisteredClient } from "./clients/client";
import type { SentCredentials } from "./clients/credentials";
import { type OAuthError, oauthError } from "./oauth-error";

const tooMany = (retryAfter: number): OAuthError =>
  oauthError("slow_down", "Too many requests. Wait until the minute ends.", { retryAfter });

/**
 * Charges a request to the client's own window. Anybody can send the id of a public client, so such a request is charged
 * when it succeeded, by the returned function, and to the address that it came from: a revocation succeeds whatever the token
 * (RFC 7009 section 2.2), and nobody can use up a window that is not theirs.
 * @throws slow_down when the window is used up
 */
export async function chargeClient(
  ctx: Context,
  { kind, clientId }: RegisteredClient,
  origin: Origin,
): Promise<() => Promise<void>> {
  const window = { policy: "client", subject: clientId, limit: ctx.settings.rates.client };
  if (kind === "confidential") {
    const state = await ctx.limiter.take(window);
    if (!state.allowed) throw tooMany(state.reset);
    return async () => {};
  }
  const own = { ...window, subject: `${networkOf(origin.address)} ${clientId}` };
  const state = await ctx.limiter.peek(own);
  if (state.remaining === 0) throw tooMany(state.reset);
  return async () => {
    await ctx.limiter.take(own);
  };
}

/** What the developer reads: the private cause where it says more than the public sentence. */
const reasonOf = ({ cause, message }: OAuthError): string => (typeof cause === "string" ? cause : message);

/**
 * What a failed request is told. Failures count for (address, client); beyond the limit they are told to slow down, and not
 * written to the audit log any more. Requests that succeed never come here, so that guessing locks nobody out.
 */
export async function refusalOf(
  ctx: Context,
  error: OAuthError,
  at: {
    readonly endpoint: string;
    readonly client: RegisteredClient | undefined;
    readonly sent: SentCredentials;
    readonly origin: Origin;
  },
): Promise<OAuthError> {
  const { endpoint, client, sent, origin } = at;
  if (error.word === "slow_down") return error;
  // Made-up client ids share one window, or each would take memory of ours.
  const subject = `${networkOf(origin.address)} ${client?.clientId ?? "unknown"}`;
  const limit = ctx.settings.rates.clientFailures;
  const state = await ctx.limiter.take({ policy: "client-failures", subject, limit });
  if (!state.allowed) return tooMany(state.reset);
  ctx.defer(() =>
    ctx.audit(ctx.database.query, {
      act: "token-request-failed",
      actor: client ? `client:${client.clientId}` : "anonymous",
      clientId: client?.clientId ?? null,
      origin,
      details: { endpoint, error: error.word, description: reasonOf(error), ...sent },
    }),
  );
  return error;
}
