import { isFormTarget, returnTarget } from "./form-targets";
import { strictTransport } from "./response-headers";

type InlineScripts =
  /** Base64, new for every answer. */
  | { readonly nonce: string }
  /** Base64, for a page sent to many visitors. */
  | { readonly hashes: readonly string[] };

type PolicyOptions = {
  inline: InlineScripts;
  /**
   * Besides our own. Chromium applies it to every hop after a form post, and the hops of a client
   * are unknown.
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

/** They end in a redirect to a client, and their URL must not reach another site. */
const confidentialPage = /^\/(?:consent|confirm|sign-in|oauth)(?:\/|$)/;

function referrerPolicy(path: string): string {
  // The answer holds no form.
  if (isFormTarget(path) || path === returnTarget) return "no-referrer";
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

/** 'strict-dynamic' would need a hash for each of our files. */
const scriptSources = (inline: InlineScripts): string[] =>
  "nonce" in inline
    ? // 'self' is for browsers without 'strict-dynamic'; the others ignore it.
      ["'self'", `'nonce-${inline.nonce}'`, "'strict-dynamic'"]
    : ["'self'", ...inline.hashes.map((hash) => `'sha256-${hash}'`)];

/** In development it would disable 'unsafe-inline' (CSP Level 3, section 6.7.3.2). */
const styleNonce = (inline: InlineScripts): string[] =>
  "nonce" in inline ? [`'nonce-${inline.nonce}'`] : [];
