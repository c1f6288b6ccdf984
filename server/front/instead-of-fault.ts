import type { ServerResponse } from "node:http";

/**
 * Where `isKnown` says so, lets `refuse` answer in place of a status of 500 and above that the pages are about to send: Next
 * knows no other for a page that failed. What it writes then goes nowhere.
 */
export function insteadOfFault(response: ServerResponse, isKnown: () => boolean, refuse: () => void): void {
  const { writeHead, flushHeaders, write, end } = response;
  const own = { writeHead, flushHeaders, write, end };
  const before = new Set(response.getHeaderNames());
  let replaced: boolean | undefined;

  const isReplaced = (status = response.statusCode): boolean => {
    if (replaced !== undefined) return replaced;
    replaced = status >= 500 && isKnown();
    if (!replaced) return false;
    // Also what compresses the pages has put itself in front of these methods.
    Object.assign(response, own);
    for (const name of response.getHeaderNames()) if (!before.has(name)) response.removeHeader(name);
    refuse();
    Object.assign(response, instead);
    return true;
  };
  const unless =
    <Args extends unknown[], Result>(method: (...args: Args) => Result, result: NoInfer<Result>) =>
    (...args: Args): Result =>
      isReplaced() ? result : method.apply(response, args);
  const instead = {
    writeHead: (...args: Parameters<typeof writeHead>) =>
      isReplaced(args[0]) ? response : writeHead.apply(response, args),
    flushHeaders: unless(flushHeaders, undefined),
    write: unless(write as (...args: unknown[]) => boolean, true),
    end: unless(end as (...args: unknown[]) => ServerResponse, response),
  };
  Object.assign(response, instead);
}
