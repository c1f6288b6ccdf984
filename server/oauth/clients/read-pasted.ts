import type { MachinePath } from "#server/machine-path";
import { isRequestId } from "#server/platform/ids";

/** An address in what a developer pasted, taken apart. */
export interface PastedAddress {
  /** Without its query; empty where only a query was pasted. */
  readonly address: string;
  readonly parameters: URLSearchParams;
}

/** What a shell makes of one argument: quotes go, and what they held stays. A line that goes on is one line. */
const quoted = /^\$?'([^']*)'$|^"([^"]*)"$/;
const argument = /\$?'[^']*'|"[^"]*"|[^\s'"]+/g;

/** The words of a command line as a shell reads them, or of any text. */
const wordsOf = (text: string): string[] =>
  (text.replace(/\\\r?\n/g, " ").match(argument) ?? []).map((word) => {
    const [, single, double] = quoted.exec(word) ?? [];
    return single ?? double ?? word;
  });

/** The paths of the product's other addresses that are taken for that of the authorization endpoint, or pasted beside it. */
const endpoints = {
  "/oauth/token": "token",
  "/oauth/introspect": "introspection",
  "/oauth/revoke": "revocation",
} as const satisfies Partial<Record<MachinePath, string>>;
export type OtherEndpoint = (typeof endpoints)[keyof typeof endpoints] | "api";

/** Which other endpoint of this service the first address in the text is; undefined where it is none. */
export function readOtherEndpoint(text: string, baseUrl: string): OtherEndpoint | undefined {
  const address = wordsOf(text).find((word) => /^https?:\/\//i.test(word));
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  if (origin !== new URL(baseUrl).origin) return undefined;
  if (/^\/api(\/|$)/.test(pathname)) return "api";
  return Object.hasOwn(endpoints, pathname) ? endpoints[pathname as keyof typeof endpoints] : undefined;
}

/**
 * Finds the address in a pasted text: an address, a query that begins with a question mark, or a command line that has one
 * in quotes. Undefined where there is no address with a query.
 */
export function readPasted(text: string): PastedAddress | undefined {
  const words = wordsOf(text);
  const found = words.find((word) => /^https?:\/\/[^?]*\?/i.test(word)) ?? words.find((word) => word.includes("?"));
  if (found === undefined) return undefined;
  const mark = found.indexOf("?");
  return { address: found.slice(0, mark), parameters: new URLSearchParams(found.slice(mark + 1).replace(/#.*$/, "")) };
}

/** A request's id by itself, or after the name of its header, as `curl -i` and logs show it. Undefined where there is none. */
export function readRequestId(text: string): string | undefined {
  const id = /x-request-id["']?\s*[:=]\s*["']?([0-9A-Za-z_-]+)/i.exec(text)?.[1] ?? text.trim();
  return isRequestId(id) ? id : undefined;
}
