import { isFormTarget, isReturnTarget } from "./form-targets";
import { strictTransport } from "./response-headers";

/** How a page's own inline scripts are allowed. */
type InlineScripts =
  /** Base64, at least 128 random bits, new for every answer. */
  | { readonly nonce: string }
  /** Base64 of the SHA-256 of each, where the same page is sent to many. */
  | { readonly hashes: readonly string[] };

type Options = {
  /** The request's path. */
  path: string;
  inline: InlineScripts;
  /** Origins besides our own that a form may end at, over every redirect; pages that end at a client allow all. */
  formAction: readonly string[];
  https: boolean;
  development: boolean;
};

/** The security headers of an HTML page. */
export function pageHeaders({
  path,
  inline,
  formAction,
  https,
  development,
}: Options): Record<string, string> {
  const endsAtClient = confidentialPage.test(path);
  return {
    "Content-Security-Policy": contentSecurityPolicy({
      inline,
      formAction: endsAtClient ? "anywhere" : formAction,
      https,
      development,
    }),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": referrerPolicy(path),
    // Applications ask in a pop-up, and its pages must keep their opener.
    ...(endsAtClient ? {} : { "Cross-Origin-Opener-Policy": "same-origin" }),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy":
      "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    ...(https ? { "Strict-Transport-Security": strictTransport } : {}),
  };
}

/** Pages of a pending authorization: they end in a redirect to a client, and their URL must not reach another site. */
const confidentialPage = /^\/(?:consent|confirm|sign-in|oauth)(?:\/|$)/;

function referrerPolicy(path: string): string {
  // The browser is sent on, perhaps to another site, and the answer holds no form.
  if (isFormTarget(path) || isReturnTarget(path)) return "no-referrer";
  // Not "no-referrer": under it a browser sends `Origin: null` with our own form posts (Fetch, "append a request
  // `Origin` header"), which the origin check must refuse. "same-origin" gives other sites just as
  // little.
  return confidentialPage.test(path) ? "same-origin" : "strict-origin-when-cross-origin";
}

type PolicyOptions = {
  inline: InlineScripts;
  /**
   * Origins besides our own. Chromium applies `form-action` to every hop after a form post, and the hops of a client
   * are unknown: pages that end at one leave the directive out.
   */
  formAction?: readonly string[] | "anywhere";
  /** Whether BASE_URL is https. */
  https: boolean;
  /** The development server: React's refresh evaluates code and Next's overlay adds styles there, and only there. */
  development?: boolean;
};

/**
 * The Content-Security-Policy of a page (CSP Level 3). Inline scripts and styles run by nonce, or scripts by hash; there are no
 * inline style attributes.
 * @returns the header's value
 */
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

/** A page that runs its scripts by hash loads files of ours by 'self': 'strict-dynamic' would want a hash of each of them. */
const scriptSources = (inline: InlineScripts): string[] =>
  "nonce" in inline
    ? // 'self' is for browsers that do not know 'strict-dynamic'; the others ignore it.
      ["'self'", `'nonce-${inline.nonce}'`, "'strict-dynamic'"]
    : ["'self'", ...inline.hashes.map((hash) => `'sha256-${hash}'`)];

/** In development there is none: beside it 'unsafe-inline' would be switched off (CSP Level 3, section 6.7.3.2). */
const styleNonce = (inline: InlineScripts): string[] =>
  "nonce" in inline ? [`'nonce-${inline.nonce}'`] : [];
