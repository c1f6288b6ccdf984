import type { Context } from "#server/context";
import { isSameSecret } from "../platform/keyring";

const browserIdBytes = 32;
const browserIdForm = /^[A-Za-z0-9_-]{43}$/;

export const newBrowserId = (ctx: Context): string => ctx.ids.text(browserIdBytes);

/** A cookie may hold anything. */
export const readBrowserId = (text: string | null): string | null =>
  text !== null && browserIdForm.test(text) ? text : null;

export const browserHash = (ctx: Context, browserId: string): string =>
  ctx.keyring.hmac("browser", browserId).hash;

export function isBoundToBrowser(ctx: Context, stored: string, browserId: string | null): boolean {
  if (browserId === null) return false;
  return ctx.keyring.hmacs("browser", browserId).some(({ hash }) => isSameSecret(hash, stored));
}
