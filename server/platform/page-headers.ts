import { contentSecurityPolicy, type InlineScripts } from "./content-security-policy";
import { isFormTarget, isReturnTarget } from "./form-targets";

/**
 * The value of `Strict-Transport-Security` (RFC 6797) wherever BASE_URL is https: two years. Not for subdomains: other services
 * may live there, and they are not ours to decide for.
 */
export const strictTransport = "max-age=63072000";

type Options = {
  /** The request's path. */
  path: string;
  inline: InlineScripts;
  /** Origins that a form of this page may end at. */
  formAction: readonly string[];
  https: boolean;
  development: boolean;
};

/** Pages with a decision in the making: their URL must not reach another site. */
const confidentialPage = /^\/(?:consent|confirm|sign-in|oauth)(?:\/|$)/;

/** Whether forms of this page may end in a redirect to a client. */
export function endsAtClient(path: string): boolean {
  return /^\/(?:consent|sign-in)(?:\/|$)/.test(path);
}

/** Whether forms of this page may lead to the chat's provider: to sign in there, or to link the account there. */
export function leadsToChat(path: string): boolean {
  return path === "/sign-in" || path === "/account";
}

function referrerPolicy(path: string): string {
  // It sends the browser on, perhaps to another site, and renders no form of its own.
  if (isFormTarget(path) || isReturnTarget(path)) return "no-referrer";
  // Not "no-referrer": under it a browser sends `Origin: null` with our own form posts (Fetch, "append a request
  // `Origin` header"), which the origin check must refuse. "same-origin" tells other sites just as little.
  return confidentialPage.test(path) ? "same-origin" : "strict-origin-when-cross-origin";
}

/** The security headers of an HTML page. */
export function pageHeaders({ path, inline, formAction, https, development }: Options): Record<string, string> {
  return {
    "Content-Security-Policy": contentSecurityPolicy({ inline, formAction, https, development }),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": referrerPolicy(path),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    ...(https ? { "Strict-Transport-Security": strictTransport } : {}),
  };
}
