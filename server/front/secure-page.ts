import { longestNext } from "#server/auth/safe-next";
import type { Settings } from "#server/platform/env";
import { allowedMethods } from "#server/platform/form-targets";
import type { Ids } from "#server/platform/ids";
import { pageHeaders } from "#server/platform/page-headers";
import { pageAddressHeader } from "#server/platform/peer-address";

const nonceBytes = 16;

/** A request for a page, as either mount knows it. */
export interface PageRequest {
  readonly method: string;
  readonly pathname: string;
  /** The query string without its question mark. */
  readonly search: string;
  /** The Cookie header. */
  readonly cookies: string | null;
  readonly requestId: string;
  /** Whether the front has one rendering for all visitors, and names its inline scripts in the policy that it sends. */
  readonly shared: boolean;
}

export interface SecuredPage {
  /** Headers of the answer. */
  readonly answer: Readonly<Record<string, string>>;
  /** Headers of the request that the page reads, in place of those that a client sent; undefined: none of this name. */
  readonly request: Readonly<Record<string, string | undefined>>;
  /** Whether the page cannot be asked with this method. */
  readonly wrongMethod: boolean;
}

/** Gives a page its nonce, its request id and its security headers, and says whether it can be asked with this method. */
export function securePage(
  asked: PageRequest,
  settings: Settings,
  ids: Pick<Ids, "bytes">,
): SecuredPage {
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
    },
    request: {
      // Next reads the nonce from the request's policy; x-nonce is for our own inline scripts.
      "content-security-policy": headers["Content-Security-Policy"],
      "x-nonce": shared ? undefined : nonce,
      "x-request-id": requestId,
      [pageAddressHeader]: addressOf(asked),
    },
    wrongMethod,
  };
}

function formActionOf(pathname: string, { baseUrl, chatSignIn }: Settings): string[] {
  // Redirects are built from BASE_URL, which need not be the name the browser used (127.0.0.1, localhost).
  if (pathname !== "/account" || !chatSignIn) return [baseUrl];
  // The form that links a chat account leads to the chat's provider.
  return [baseUrl, new URL(chatSignIn.authorizeUrl).origin];
}

/** The address that leads back to the page: without its query where that is longer than a sign-in hands on. */
function addressOf({ pathname, search }: PageRequest): string {
  // Next's own, where a page is asked for by a script.
  const own = search.split("&").filter((pair) => pair !== "" && !pair.startsWith("_rsc="));
  const address = own.length > 0 ? `${pathname}?${own.join("&")}` : pathname;
  return address.length > longestNext ? pathname : address;
}

/** Paths that Next answers without a page: files, the portal's procedures, and the authorization endpoint with a policy of its own. */
const noPage =
  /^\/(?:api(?:\/|$)|_next\/(?:static|image)(?:\/|$)|oauth\/authorize$|favicon\.ico$|icon\.svg$|apple-icon\.png$|robots\.txt$)/;

/** Whether the path, which is no program's, is a page's or a form's. */
export const isPage = (pathname: string): boolean => !noPage.test(pathname);
