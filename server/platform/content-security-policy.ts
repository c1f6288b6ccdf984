type Options = {
  /** Base64, at least 128 random bits, new for every answer. */
  nonce: string;
  /** Origins besides our own that a form of this page may end at, over every redirect. Already checked. */
  formAction?: readonly string[];
  /** Whether BASE_URL is https. */
  https: boolean;
  /** The development server: React's refresh evaluates code and Next's overlay adds styles there, and only there. */
  development?: boolean;
};

/**
 * The Content-Security-Policy of a page (CSP Level 3). Scripts and styles run by nonce; there are no inline style attributes.
 * @returns the header's value
 */
export function contentSecurityPolicy({ nonce, formAction = [], https, development = false }: Options): string {
  const directives = [
    "default-src 'self'",
    // 'self' is for browsers that do not know 'strict-dynamic'; the others ignore it.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    // A nonce beside it would switch 'unsafe-inline' off (CSP Level 3, section 6.7.3.2).
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
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
