import { maxNextLength } from "#server/auth/safe-next";
import type { Settings } from "#server/platform/env";
import { allowedMethods, chatCallbackPath, isFormTarget } from "#server/platform/form-targets";
import type { Ids } from "#server/platform/ids";
import { pagePathHeader } from "#server/platform/peer-address";
import { strictTransport } from "#server/platform/response-headers";

const nonceBytes = 16;

interface PageRequest {
  readonly method: string;
  readonly pathname: string;
  /** Without the question mark. */
  readonly search: string;
  readonly requestId: string;
  /** The page is for all visitors, so its policy names scripts by hash. */
  readonly shared: boolean;
}

/**
 * @returns headers of the answer and of the request. The latter override the client's; undefined
 * removes one.
 */
export function securityHeadersOf(asked: PageRequest, settings: Settings, ids: Pick<Ids, "bytes">) {
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
      [pagePathHeader]: addressOf(asked),
    } as Readonly<Record<string, string | undefined>>,
    wrongMethod,
  };
}

function formActionOf(pathname: string, { baseUrl, chatSignIn }: Settings): string[] {
  // Redirects are built from BASE_URL, which need not be the name that the browser used.
  if (pathname !== "/account" || !chatSignIn) return [baseUrl];
  return [baseUrl, new URL(chatSignIn.authorizeUrl).origin];
}

/** Omits the query if a sign-in could not hand on such a long address. */
function addressOf({ pathname, search }: PageRequest): string {
  // Next adds `_rsc` for soft navigation.
  const own = search.split("&").filter((pair) => pair !== "" && !pair.startsWith("_rsc="));
  const address = own.length > 0 ? `${pathname}?${own.join("&")}` : pathname;
  return address.length > maxNextLength ? pathname : address;
}

/** Files, the portal's procedures, and the authorization endpoint, which has its own policy. */
const noPage =
  /^\/(?:api(?:\/|$)|_next\/(?:static|image)(?:\/|$)|oauth\/authorize$|favicon\.ico$|icon\.svg$|apple-icon\.png$|robots\.txt$)/;

/** @param pathname not a machine path */
export const isPage = (pathname: string): boolean => !noPage.test(pathname);

type InlineScripts =
  /** Base64, new for every answer. */
  | { readonly nonce: string }
  /** Base64. */
  | { readonly hashes: readonly string[] };

type PolicyOptions = {
  inline: InlineScripts;
  /**
   * Origins besides our own. Chromium applies them to every redirect after a form post, and the
   * redirects of a client are unknown.
   */
  formAction?: readonly string[] | "anywhere";
  https: boolean;
  /** React's refresh evaluates code and Next's overlay adds styles. */
  development?: boolean;
};

export function pageHeaders({
  path,
  ...policy
}: PolicyOptions & { path: string }): Record<string, string> {
  const endsAtClient = confidentialPage.test(path);
  const { https } = policy;
  return {
    "Content-Security-Policy": contentSecurityPolicy(
      endsAtClient ? { ...policy, formAction: "anywhere" } : policy,
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": referrerPolicy(path),
    // A pop-up's pages must keep their opener.
    ...(endsAtClient ? {} : { "Cross-Origin-Opener-Policy": "same-origin" }),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy":
      "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    ...(https ? { "Strict-Transport-Security": strictTransport } : {}),
  };
}

/** These pages end in a redirect to a client, and their URL must not reach another site. */
const confidentialPage = /^\/(?:consent|confirm|sign-in|oauth)(?:\/|$)/;

function referrerPolicy(path: string): string {
  if (isFormTarget(path) || path === chatCallbackPath) return "no-referrer";
  // With "no-referrer" browsers send `Origin: null` with our own form posts (Fetch), which the
  // origin check refuses.
  return confidentialPage.test(path) ? "same-origin" : "strict-origin-when-cross-origin";
}

/** CSP Level 3. */
export function contentSecurityPolicy({
  inline,
  formAction = [],
  https,
  development = false,
}: PolicyOptions): string {
  const directives = [
    "default-src 'self'",
    ["script-src", ...scriptSources(inline), ...(development ? ["'unsafe-eval'"] : [])].join(" "),
    ["style-src 'self'", ...(development ? ["'unsafe-inline'"] : styleNonce(inline))].join(" "),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  if (formAction !== "anywhere")
    directives.push(["form-action 'self'", ...new Set(formAction)].join(" "));
  if (https) directives.push("upgrade-insecure-requests");
  return directives.join("; ");
}

/** 'strict-dynamic' with hashes would need a hash of each of our files. */
const scriptSources = (inline: InlineScripts): string[] =>
  "nonce" in inline
    ? // 'self' is for browsers without 'strict-dynamic'; the others ignore it.
      ["'self'", `'nonce-${inline.nonce}'`, "'strict-dynamic'"]
    : ["'self'", ...inline.hashes.map((hash) => `'sha256-${hash}'`)];

/** In development a nonce would disable 'unsafe-inline' (CSP Level 3, section 6.7.3.2). */
const styleNonce = (inline: InlineScripts): string[] =>
  "nonce" in inline ? [`'nonce-${inline.nonce}'`] : [];
