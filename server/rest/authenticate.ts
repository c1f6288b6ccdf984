import type { TokenHolder } from "#server/actor";
import { type Authentication, type Context, perProcess } from "#server/context";
import {
  ClientSuspended,
  type Failure,
  GrantPaused,
  InvalidAuthenticationInformation,
  InvalidAuthenticationType,
  NoAuthenticationInformation,
  TooManyRequests,
} from "#server/failures";
import {
  type LimitState,
  type LimitWindow,
  minuteOf,
  secondsLeft,
} from "#server/platform/limiter/limiter";
import { networkOf } from "#server/platform/peer-address";
import { hasSecretForm } from "#server/platform/secret-text";
import { minuteMs } from "#server/platform/time";
import { createTtlCache } from "#server/platform/ttl-cache";
import type { RequestContext } from "./request-context";

const holderPolicy = "holder";
const peerPolicy = "peer";

/**
 * Charges the holder of a live token, else the peer.
 * @param misdirected thrown after the charge
 * @throws misdirected; TooManyRequests; 4001 … 4003
 */
export async function authenticate(
  call: RequestContext,
  misdirected: Failure | undefined,
): Promise<Authentication> {
  const bearer = readBearer(call.request.headers.get("authorization"));
  if ("failure" in bearer || call.peer.insecure) {
    await chargeAddress(call);
    if ("token" in bearer) noteToken(call, bearer.token);
    throw (
      misdirected ??
      ("failure" in bearer ? bearer.failure : InvalidAuthenticationInformation.because())
    );
  }
  const { token } = bearer;
  const remembered = refusalInForce(call, token);
  if (remembered) {
    call.window = remembered.state;
    call.actor = remembered.actor;
    throw misdirected ?? refused(remembered.state);
  }
  const authentication = await call.ctx.tokens.authenticate(token);
  if (!authentication) {
    await chargeAddress(call);
    noteToken(call, token);
    throw misdirected ?? InvalidAuthenticationInformation.because();
  }

  call.actor = authentication.actor;
  const states = await chargeHolder(call, authentication.actor, misdirected === undefined);
  call.window = bindingWindow(states);
  const { actor } = authentication;
  const windowEnd = (minuteOf(call.at) + 1) * minuteMs;
  for (const state of states)
    if (!state.allowed)
      refusals(call.ctx).set(`${state.policy} ${token}`, { state, actor }, windowEnd);
  if (misdirected) throw misdirected;
  if (!call.window.allowed) throw refused(call.window);
  return authentication;
}

/** RFC 6750 section 2.1. */
const credentials = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** Tokens in query, body or cookies are ignored. */
export function readBearer(
  header: string | null,
): { readonly token: string } | { readonly failure: Failure } {
  if (header === null || header.trim() === "")
    return { failure: NoAuthenticationInformation.because() };
  const token = credentials.exec(header)?.[1];
  if (token) return { token };
  const [scheme, rest] = header.trim().split(" ", 2);
  if (scheme?.toLowerCase() !== "bearer") return { failure: InvalidAuthenticationType.because() };
  return {
    failure: (rest === undefined
      ? NoAuthenticationInformation
      : InvalidAuthenticationInformation
    ).because(),
  };
}

function noteToken(call: RequestContext, token: string): void {
  if (hasSecretForm("access", token)) call.tokenHashes = call.ctx.keyring.hmacs("token", token);
}

/** @throws GrantPaused, ClientSuspended */
export function requireActive({ actor, status }: Authentication): TokenHolder {
  if (status === "paused") throw GrantPaused.because();
  if (status === "suspended") throw ClientSuspended.because();
  return actor;
}

/** Checks the token again after a wait, without a charge. */
export async function revalidateToken(ctx: Context, request: Request): Promise<TokenHolder> {
  const bearer = readBearer(request.headers.get("authorization"));
  const authentication =
    "token" in bearer ? await ctx.tokens.authenticate(bearer.token) : undefined;
  if (!authentication) throw InvalidAuthenticationInformation.because();
  return requireActive(authentication);
}

/** @throws TooManyRequests */
export async function chargeAddress(call: RequestContext): Promise<void> {
  call.window = await call.ctx.limiter.take(peerWindow(call));
  if (!call.window.allowed) throw refused(call.window);
}

export const peekAtAddress = (call: RequestContext): Promise<LimitState> =>
  call.ctx.limiter.peek(peerWindow(call));

const peerWindow = ({ ctx, peer }: RequestContext): LimitWindow => ({
  policy: peerPolicy,
  subject: networkOf(peer.address),
  limit: ctx.settings.rates.peer,
});

/** Both windows are charged even if one refuses. */
function chargeHolder(
  { ctx, endpoint }: RequestContext,
  actor: TokenHolder,
  directed: boolean,
): Promise<LimitState[]> {
  const subject = `${actor.accountId}:${actor.clientId}`;
  const { rates } = ctx.settings;
  const windows: LimitWindow[] = [{ policy: holderPolicy, subject, limit: rates.holder }];
  if (directed && endpoint?.limit) {
    const { policy, setting } = endpoint.limit;
    windows.push({ policy, subject, limit: rates[setting] });
  }
  return Promise.all(windows.map((window) => ctx.limiter.take(window)));
}

const mostRefusals = 50_000;

interface Refusal {
  readonly state: LimitState;
  readonly actor: TokenHolder;
}

/** A remembered refusal costs neither database nor limiter until its window ends. */
const refusals = perProcess("refusals", ({ now }) =>
  createTtlCache<string, Refusal>({ now, ttl: minuteMs, most: mostRefusals }),
);

function refusalInForce({ ctx, endpoint, at }: RequestContext, token: string): Refusal | undefined {
  const find = (policy: string) => refusals(ctx).get(`${policy} ${token}`);
  const refusal = find(holderPolicy) ?? (endpoint?.limit && find(endpoint.limit.policy));
  return refusal && { ...refusal, state: { ...refusal.state, reset: secondsLeft(at) } };
}

/** A refusal first, then the window with the fewest calls left. */
const bindingWindow = ([first, ...rest]: readonly LimitState[]): LimitState => {
  if (!first) throw new Error("Every call is charged to some window.");
  return rest.reduce((binding, state) => {
    if (binding.allowed !== state.allowed) return state.allowed ? binding : state;
    return state.remaining < binding.remaining ? state : binding;
  }, first);
};

const refused = ({ policy, limit, reset }: LimitState): Failure =>
  TooManyRequests.because({ details: { policy, limit, reset }, retryAfter: reset });
