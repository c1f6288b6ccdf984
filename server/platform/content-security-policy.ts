/** What tells a page's own inline scripts from others. */
export type InlineScripts =
  /** Base64, at least 128 random bits, new for every answer. */
  | { readonly nonce: string }
  /** Base64 of the SHA-256 of each, where the same page is sent to many. */
  | { readonly hashes: readonly string[] };

type Options = {
  inline: InlineScripts;
  /** Origins besides our own that a form of this page may end at, over every redirect. Already checked. */
  formAction?: readonly string[];
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
export function contentSecurityPolicy({ inline, formAction = [], https, development = false }: Options): string {
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
    ["form-action 'self'", ...new Set(formAction)].join(" "),
  ];
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
const styleNonce = (inline: InlineScripts): string[] => ("nonce" in inline ? [`'nonce-${inline.nonce}'`] : []);
