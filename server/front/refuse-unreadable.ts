import type { IncomingMessage, ServerResponse } from "node:http";
import { EndpointNotFound, type FailureKind, GeneralError, InvalidMethod, PayloadTooLarge } from "#server/failures";
import { isMachinePath } from "#server/machine-path";
import { targetOf } from "#server/rest/request-context";
import { refuseEarly } from "./refuse-early";

const largestPageBody = 256 * 1_024;
const pageMethods = ["GET", "HEAD", "POST"];
const routeMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

interface EarlyRefusal {
  readonly status: number;
  readonly kind: FailureKind;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The path of a request's target; undefined where the target is none (RFC 9112 section 3.2). */
export function pathOf({ url = "" }: IncomingMessage): string | undefined {
  return url.startsWith("/") ? targetOf(url).pathname : undefined;
}

export const noPath: EarlyRefusal = {
  status: 400,
  kind: GeneralError,
  message: "The request's target must be a path.",
};

/** What is wrong with a request for a page before Next may see it. */
export function refusalOfPage({ method = "", headers }: IncomingMessage, pathname: string): EarlyRefusal | undefined {
  if (!pageMethods.includes(method)) return wrongMethod(pageMethods);
  // Next would read a machine's path out of it, and answer without what is known here of how the request came.
  if (!isPlain(pathname)) return { status: 404, kind: EndpointNotFound };
  // Next decodes the parts of a path, and fails with 500 where that cannot be done.
  if (!isDecodable(pathname)) return { status: 400, kind: GeneralError, message: "The path is not well-formed." };
  // Next would buffer a body of unknown length up to a limit of its own, and cut it there.
  if (headers["transfer-encoding"] !== undefined)
    return { status: 411, kind: GeneralError, message: "The body's length must be given in Content-Length." };
  if (Number(headers["content-length"] ?? 0) > largestPageBody) return { status: 413, kind: PayloadTooLarge };
  return undefined;
}

/**
 * Refuses what Next, serving by itself, would answer with 500 or with a redirect to the host that the request names.
 * @returns whether it was refused
 */
export function refuseUnreadable(request: IncomingMessage, response: ServerResponse, requestId: string): boolean {
  const pathname = pathOf(request);
  const refusal = pathname === undefined ? noPath : refusalOf(request, pathname);
  if (refusal) refuseEarly(response, refusal.status, { ...refusal, requestId });
  return refusal !== undefined;
}

function refusalOf(request: IncomingMessage, pathname: string): EarlyRefusal | undefined {
  if (!isMachinePath(pathname)) return refusalOfPage(request, pathname);
  if (!routeMethods.includes(request.method ?? "")) return wrongMethod(routeMethods);
  return isPlain(pathname) && isDecodable(pathname) ? undefined : { status: 404, kind: EndpointNotFound };
}

const wrongMethod = (allowed: readonly string[]): EarlyRefusal => ({
  status: 405,
  kind: InvalidMethod,
  headers: { Allow: allowed.join(", ") },
});

/** Without empty parts, "." and ".." (also encoded) and backslashes, of which two readers make two paths. */
const isPlain = (pathname: string): boolean => !/\/(?:\/|(?:\.|%2e){1,2}(?:\/|$))|\\/i.test(pathname);

function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}
