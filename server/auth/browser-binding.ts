import type { Context } from "#server/context";
import { isToken, tokenBytes } from "#server/platform/ids";
import { isSameSecret } from "#server/platform/keyring";
import { networkOf } from "#server/platform/peer-address";
import { secondMs } from "#server/platform/time";
import { type NewProof, type Proof, putProofs, takeProof } from "#server/work/proofs";
import { browserCookieName, readCookie } from "./cookies";
import { chargeWithoutRefund } from "./sign-in-throttle";

export const newBrowserId = (ctx: Context): string => ctx.ids.text(tokenBytes);

/** Checks the form, because the cookie may hold anything. */
export function readBrowserId(cookies: string | null, https: boolean): string | null {
  const text = readCookie(cookies, browserCookieName(https));
  return text !== null && isToken(text) ? text : null;
}

export const hashBrowserId = (ctx: Context, browserId: string): string =>
  ctx.keyring.hmac("browser", browserId).hash;

export function isBoundToBrowser(ctx: Context, stored: string, browserId: string | null): boolean {
  if (browserId === null) return false;
  return ctx.keyring.hmacs("browser", browserId).some((hash) => isSameSecret(hash, stored));
}

/** Limited, because each start inserts a row. */
const mostStartedAMinute = 60;

export interface VisitingBrowser {
  readonly browserId: string | null;
  readonly address: string | null;
}

/**
 * Stores a proof that only this browser can use. The first proof gives the browser an id.
 * @returns the browser's id
 * @throws SignInRefused "throttled"
 */
export async function putBrowserProof(
  ctx: Context,
  { browserId: known, address }: VisitingBrowser,
  {
    policy,
    seconds,
    ...proof
  }: Pick<NewProof, "id" | "kind" | "accountId" | "details"> & { policy: string; seconds: number },
): Promise<string> {
  const subject = networkOf(address);
  await chargeWithoutRefund(ctx, { policy, subject, limit: mostStartedAMinute });
  const browserId = known ?? newBrowserId(ctx);
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + seconds * secondMs);
  const bound = { ...proof, browserHash: hashBrowserId(ctx, browserId), createdAt, expiresAt };
  await putProofs(ctx.database.query, [bound]);
  return browserId;
}

/** @param presented.ids hashes under each server secret in force */
export const takeBrowserProof = async (
  ctx: Context,
  browserId: string | null,
  presented: { kind: Proof["kind"]; ids: readonly string[]; accountId?: string | null },
): Promise<Proof | undefined> =>
  browserId === null
    ? undefined
    : takeProof(ctx.database.query, {
        ...presented,
        browserHashes: ctx.keyring.hmacs("browser", browserId),
        now: ctx.now(),
      });
