import { longestNext } from "#server/auth/safe-next";
import type { Settings } from "#server/platform/env";
import { allowedMethods } from "#server/platform/form-targets";
import type { Ids } from "#server/platform/ids";
import { pageHeaders } from "#server/platform/page-headers";
import { pageAddressHeader } from "#server/platform/peer-address";

const nonceBytes = 16;

interface PageRequest {
  readonly method: string;
  readonly pathname: string;
  /** Without question mark. */
  readonly search: string;
  readonly requestId: string;
  /** For all visitors, with hashes of its scripts in the policy. */
  readonly shared: boolean;
}

/** @returns headers of the answer; those of the request override the client's, undefined removes one */
export function securePage(asked: PageRequest, settings: Settings, ids: Pick<Ids, "bytes">) {
  const { method, pathname, requestId, shared } = asked;
  const nonce = Buffer.from(ids.bytes(nonceBytes)).toString("base64");
  const headers = pageHeaders({
    path: pathname,
    inline: shared ? { hashes: [] } : { nonce },
    formAction: formActionOf(pathname, settings),
    https: settings.https,
    development: settings.development,
  });
  const methods = allowedMethods(pathname);
  const wrongMethod = !methods.includes(method);
  return {
    answer: {
      ...headers,
      ...(wrongMethod && { Allow: methods.join(", ") }),
      "X-Request-Id": requestId,
    } as Readonly<Record<string, string>>,
    request: {
      // Next reads the nonce from the request's policy; x-nonce is for our own scripts.
      "content-security-policy": headers["Content-Security-Policy"],
      "x-nonce": shared ? undefined : nonce,
      "x-request-id": requestId,
      [pageAddressHeader]: addressOf(asked),
    } as Readonly<Record<string, string | undefined>>,
    wrongMethod,
  };
}

function formActionOf(pathname: string, { baseUrl, chatSignIn }: Settings): string[] {
  // Redirects are built from BASE_URL, which need not be the name that the browser used.
  if (pathname !== "/account" || !chatSignIn) return [baseUrl];
  return [baseUrl, new URL(chatSignIn.authorizeUrl).origin];
}

/** Without a query that is longer than a sign-in hands on. */
function addressOf({ pathname, search }: PageRequest): string {
  // Added by Next for soft navigation.
  const own = search.split("&").filter((pair) => pair !== "" && !pair.startsWith("_rsc="));
  const address = own.length > 0 ? `${pathname}?${own.join("&")}` : pathname;
  return address.length > longestNext ? pathname : address;
}

/** Files, the portal's procedures, and the authorization endpoint with its own policy. */
const noPage =
  /^\/(?:api(?:\/|$)|_next\/(?:static|image)(?:\/|$)|oauth\/authorize$|favicon\.ico$|icon\.svg$|apple-icon\.png$|robots\.txt$)/;

/** @param pathname not a machine path */
export const isPage = (pathname: string): boolean => !noPage.test(pathname);
