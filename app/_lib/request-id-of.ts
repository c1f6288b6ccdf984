import type { Ids } from "#server/platform/ids";

/**
 * The id under which the answer to this request goes out. proxy.ts gives every page and form target one, over whatever a
 * client sent.
 */
export const requestIdOf = (headers: Headers, ids: Ids): string => headers.get("x-request-id") ?? ids.request();
