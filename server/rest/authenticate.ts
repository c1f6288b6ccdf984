import type { TokenHolder } from "#server/actor";
import type { Authentication } from "#server/context";
import { type Failure, InvalidAuthenticationInformation, TooManyRequests } from "#server/failures";
import { type LimitState, type LimitWindow, secondsLeft } from "#server/platform/limiter/limiter";
import { networkOf } from "#server/platform/network-of";
import { type RequestContext, readBearer } from "./request-context";

const holderPolicy = "holder";
const peerPolicy = "peer";

/**
 * Finds out who calls and charges the call: to the holder of a live token, else to the peer.
 * @param misdirected what is already known to be wrong (path, method, Accept); it is thrown as soon as the call is charged
 * @throws misdirected; TooManyRequests; 4001 … 4003 without a live token
 */
export async function authenticate(
  exchange: RequestContext,
  misdirected: Failure | undefined,
): Promise<Authentication> {
  const bearer = readBearer(exchange.request.headers.get("authorization"));
  if ("failure" in bearer || exchange.peer.insecure) {
    await chargeAddress(exchange);
    throw misdirected ?? ("failure" in bearer ? bearer.failure : InvalidAuthenticationInformation.because());
  }
  const { token } = bearer;
  const remembered = refusalInForce(exchange, token);
  if (remembered) {
    exchange.window = remembered;
    throw misdirected ?? refused(remembered);
  }
  const authentication = await exchange.ctx.authenticate(token);
  if (!authentication) {
    await chargeAddress(exchange);
    throw misdirected ?? InvalidAuthenticationInformation.because();
  }

  exchange.actor = authentication.actor;
  const states = await chargeHolder(exchange, authentication.actor, misdirected === undefined);
  exchange.window = bindingWindow(states);
  for (const state of states) if (!state.allowed) exchange.ctx.restMemory.rememberRefusal(token, state, exchange.at);
  if (misdirected) throw misdirected;
  if (!exchange.window.allowed) throw refused(exchange.window);
  return authentication;
}

/** Charges the peer for a call that no token answers for. @throws TooManyRequests */
export async function chargeAddress(exchange: RequestContext): Promise<void> {
  exchange.window = await exchange.ctx.limiter.take(peerWindow(exchange));
  if (!exchange.window.allowed) throw refused(exchange.window);
}

/** The window that an answer describes when nobody was charged: preflights, and calls that broke before. */
export const peekAtAddress = (exchange: RequestContext): Promise<LimitState> =>
  exchange.ctx.limiter.peek(peerWindow(exchange));

const peerWindow = ({ ctx, peer }: RequestContext): LimitWindow => ({
  policy: peerPolicy,
  subject: networkOf(peer.address),
  limit: ctx.settings.rates.peer,
});

/** Both buckets are charged, even where one of them refuses; a misdirected call has no endpoint to charge. */
function chargeHolder({ ctx, endpoint }: RequestContext, actor: TokenHolder, directed: boolean): Promise<LimitState[]> {
  const subject = `${actor.accountId}:${actor.clientId}`;
  const windows: LimitWindow[] = [{ policy: holderPolicy, subject, limit: ctx.settings.rates.holder }];
  if (directed && endpoint?.limit) windows.push({ ...endpoint.limit, subject });
  return Promise.all(windows.map((window) => ctx.limiter.take(window)));
}

function refusalInForce({ ctx, endpoint, at }: RequestContext, token: string): LimitState | undefined {
  const state =
    ctx.restMemory.refusal(token, holderPolicy, at) ??
    (endpoint?.limit && ctx.restMemory.refusal(token, endpoint.limit.policy, at));
  // It was remembered with the seconds that were left then.
  return state && { ...state, reset: secondsLeft(at) };
}

/** A refusal binds before any other; else the window with the fewest calls left. */
const bindingWindow = ([first, ...rest]: readonly LimitState[]): LimitState => {
  if (!first) throw new Error("Every call is charged to some window.");
  return rest.reduce((binding, state) => {
    if (binding.allowed !== state.allowed) return state.allowed ? binding : state;
    return state.remaining < binding.remaining ? state : binding;
  }, first);
};

const refused = ({ policy, limit, reset }: LimitState): Failure =>
  TooManyRequests.because({ details: { policy, limit, reset }, retryAfter: reset });
