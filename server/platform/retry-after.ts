/** Seconds to wait where nothing finer is known: a database or another part that restarts is back by then. */
const usualWait = 5;
/** Service Unavailable and Gateway Timeout: the same request may succeed later (RFC 9110 sections 15.6.4 and 15.6.5). */
const passing = [503, 504];

/**
 * The header that says when to come again, for any answer with this status; every 503 and 504 has one.
 * @param seconds where it is known
 */
export function retryAfterHeader(status: number, seconds?: number): Record<string, string> {
  const wait = seconds ?? (passing.includes(status) ? usualWait : undefined);
  return wait === undefined ? {} : { "Retry-After": String(Math.max(1, Math.ceil(wait))) };
}
