import { hash } from "node:crypto";
import type { Context } from "#server/context";
import type { Endpoint } from "./endpoint";
import { isReply, type ReplyNotes } from "./reply";
import type { HttpResult } from "./respond";
import type { CachedResponse } from "./response-cache";
import { writeJson } from "./write-json";

/** An answer as text, before it is known whether the caller has it already. */
export type SerializedResponse = Omit<CachedResponse, "body"> & { readonly body: string | null };

/** Where the call went: its path and its query string. */
export interface Address {
  readonly pathname: string;
  readonly search: string;
}

/**
 * Turns what a handler returned into text by the endpoint's `returns` schema, which strips what was not declared.
 * @throws where the record does not fit the schema: our fault, not the caller's
 */
export function serializeResponse(
  endpoint: Endpoint,
  returned: unknown,
  told: { ctx: Context; address: Address },
): SerializedResponse {
  const { ctx, address } = told;
  const { record, notes } = isReply(returned) ? returned : { record: returned, notes: {} };
  const body = endpoint.returns ? writeJson(endpoint.returns.parse(record)) : null;
  return {
    body,
    etag: endpoint.etag && body !== null ? entityTag(body) : undefined,
    link: notes.next && nextPage(ctx.settings.baseUrl, address, notes.next),
    staleAt: staleAt(endpoint, notes, ctx.now()),
  };
}

/** The answer for a caller who may name what he has already (RFC 9110 section 13.1.2). */
export function conditionalResult(
  said: SerializedResponse,
  caller: { ifNoneMatch: string | null; now: Date },
): HttpResult {
  const headers: Record<string, string> = {};
  const left = Math.floor((said.staleAt - caller.now.getTime()) / 1_000);
  if (left > 0) headers["Cache-Control"] = `private, max-age=${left}`;
  if (said.link) headers.Link = said.link;
  if (said.etag) {
    headers.ETag = said.etag;
    if (caller.ifNoneMatch !== null && names(caller.ifNoneMatch, said.etag))
      return { status: 304, headers, body: null, failureCode: null };
  }
  return { status: said.body === null ? 204 : 200, headers, body: said.body, failureCode: null };
}

function staleAt({ cache }: Endpoint, { freshUntil }: ReplyNotes, now: Date): number {
  const byCache = cache ? ("seconds" in cache ? now.getTime() + cache.seconds * 1_000 : cache.until(now).getTime()) : 0;
  if (!freshUntil) return byCache;
  return cache ? Math.min(byCache, freshUntil.getTime()) : freshUntil.getTime();
}

const entityTag = (body: string): string => `"${hash("sha256", body, "base64url").slice(0, 22)}"`;

/** Weak comparison: a proxy may have weakened the tag on its way. */
function names(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

function nextPage(baseUrl: string, address: Address, next: Readonly<Record<string, string | number>>): string {
  const parameters = new URLSearchParams(address.search);
  for (const [name, value] of Object.entries(next)) parameters.set(name, String(value));
  return `<${baseUrl}${address.pathname}?${parameters}>; rel="next"`;
}
