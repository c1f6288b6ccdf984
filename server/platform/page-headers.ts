import { isFormTarget, isReturnTarget } from "./form-targets";
import { strictTransport } from "./response-headers";

type InlineScripts =
  /** Base64, at least 128 random bits, new for every answer. */
  | { readonly nonce: string }
  /** Base64 of each SHA-256, for a page sent to many visitors. */
  | { readonly hashes: readonly string[] };

type Options = {
  path: string;
  inline: InlineScripts;
  /** Origins besides our own that a form may end at, over every redirect; pages that end at a client allow all. */
  formAction: readonly string[];
  https: boolean;
  development: boolean;
};

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
  // Not "no-referrer": browsers then send `Origin: null` with our own form posts (Fetch, "append a
  // request `Origin` header"), which the origin check refuses. "same-origin" reveals as little to
  // other sites.
  return confidentialPage.test(path) ? "same-origin" : "strict-origin-when-cross-origin";
}

type PolicyOptions = {
  inline: InlineScripts;
  /**
   * Origins besides our own. Chromium applies `form-action` to every hop after a form post, and the hops of a client
   * are unknown: pages that end at one leave the directive out.
   */
  formAction?: readonly string[] | "anywhere";
  https: boolean;
  /** Development server only: React's refresh evaluates code and Next's overlay adds styles. */
  development?: boolean;
};

/**
 * CSP Level 3. Inline scripts and styles run by nonce, or scripts by hash; no inline style
 * attributes.
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

/** With hashes our files load by 'self': 'strict-dynamic' would need a hash for each. */
const scriptSources = (inline: InlineScripts): string[] =>
  "nonce" in inline
    ? // 'self' is for browsers without 'strict-dynamic'; the others ignore it.
      ["'self'", `'nonce-${inline.nonce}'`, "'strict-dynamic'"]
    : ["'self'", ...inline.hashes.map((hash) => `'sha256-${hash}'`)];

/** Not in development, where it would disable 'unsafe-inline' (CSP Level 3, section 6.7.3.2). */
const styleNonce = (inline: InlineScripts): string[] =>
  "nonce" in inline ? [`'nonce-${inline.nonce}'`] : [];
