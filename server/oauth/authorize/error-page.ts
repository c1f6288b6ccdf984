import { createHash } from "node:crypto";
import { plainPage, plainPageStyle } from "#server/platform/plain-page";
import { oauthRefusals } from "../oauth-error";

const unchanged = "Nothing was shared, and nothing was changed.";

/** `fault` goes to the developer's log, the rest to the page. */
export const errorPages = {
  "client-missing": {
    fault: "The client_id is missing or given more than once.",
    title: "The application did not identify itself",
    sentence: `The link that brought you here is incomplete. ${unchanged}`,
    advice:
      "Send exactly one client_id parameter, as shown on the application's page under Developers.",
  },
  "client-unknown": {
    fault: oauthRefusals.clientUnknown.description,
    title: "Unknown application",
    sentence: `No application with this ID can ask for access. ${unchanged}`,
    advice:
      "Compare client_id with the one on the application's page under Developers, which also says whether it is suspended.",
  },
  "redirect-uri-missing": {
    fault: "The redirect_uri is missing or given more than once.",
    title: "The application did not say where to return to",
    sentence: `The link that brought you here is incomplete. ${unchanged}`,
    advice: "Send exactly one redirect_uri parameter, even when a single one is registered.",
  },
  "redirect-uri-unregistered": {
    fault: "The redirect_uri does not exactly match a registered one.",
    title: "The application asked to return to an unregistered address",
    sentence: `Sending you there could hand your access to a stranger, so we stop here. ${unchanged}`,
    advice:
      "redirect_uri must equal a registered one character by character, with scheme, port, path, query and a trailing slash if it has one. A server-side application's hosted callback works for its developers alone, signed in here.",
  },
  "too-many-requests": {
    fault: "Too many authorization requests came from one address.",
    title: "Too many attempts",
    sentence:
      "Your network address asked for access too often. Wait a minute, then start again from the application.",
    advice:
      "Too many authorization requests came from one address within a minute. Start one only when a player asks for it.",
  },
} as const;

export type ErrorPageReason = keyof typeof errorPages;

const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(plainPageStyle).digest("base64")}'; base-uri 'none'; frame-ancestors 'none'`;

/** RFC 6749 section 10.13 and RFC 9700 section 4.16 forbid framing. */
export const errorPageHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": policy,
  "X-Frame-Options": "DENY",
};

/** Only the link to the doctor contains text of the request. */
export function errorPageHtml(
  reason: ErrorPageReason,
  shown: { readonly requestId: string; readonly theme: string | null; readonly doctor: string },
): string {
  const { requestId, theme, doctor } = shown;
  const { title, sentence, advice } = errorPages[reason];
  const main = `<p>${sentence}</p><p><a href="/" class="way">Go to your start page</a></p>
<section><h2>For the developer of the application</h2><p>${advice}</p><p><a href="${doctor}">Let the doctor look at this request</a></p><p class="soft">Request ID <code>${requestId}</code></p></section>`;
  return plainPage({ title, main, theme });
}

/** The link to the doctor repeats only these parameters: others may be secrets. */
const examined = new Set([
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "response_mode",
  "prompt",
  "code_challenge",
  "code_challenge_method",
]);
/** A request with other characters is linked by its id alone, so that no foreign text is shown. */
const plain = /^[\w.~:/?#&=+@, -]*$/;
/** Characters. */
const longestLink = 2_000;

export function doctorLink(parameters: URLSearchParams, requestId: string): string {
  const sent = [...parameters].filter(([name]) => examined.has(name));
  const request = new URLSearchParams(sent);
  // URL encoding leaves no character that is special in an HTML attribute.
  const link = (asked: string) => `/developers/doctor?${new URLSearchParams({ ask: asked })}`;
  const whole = link(`?${request}`);
  const isPlain = sent.length > 0 && sent.every(([, value]) => plain.test(value));
  return isPlain && whole.length <= longestLink ? whole : link(requestId);
}
