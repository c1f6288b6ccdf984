import type { Context } from "#server/context";
import { isToken, tokenBytes } from "#server/platform/ids";
import { isSameSecret } from "#server/platform/keyring";
import { browserCookieName, readCookie } from "./cookies";

export const newBrowserId = (ctx: Context): string => ctx.ids.text(tokenBytes);

/** The cookie may hold anything. */
export function readBrowserId(cookies: string | null, https: boolean): string | null {
  const text = readCookie(cookies, browserCookieName(https));
  return text !== null && isToken(text) ? text : null;
}

export const browserHash = (ctx: Context, browserId: string): string =>
  ctx.keyring.hmac("browser", browserId).hash;

export function isBoundToBrowser(ctx: Context, stored: string, browserId: string | null): boolean {
  if (browserId === null) return false;
  return ctx.keyring.hmacs("browser", browserId).some((hash) => isSameSecret(hash, stored));
}
