import { readCookie } from "#server/auth/cookies";
import { plainPage, themeCookieName } from "#server/platform/plain-page";
import { retryAfterHeader } from "#server/platform/response-headers";
import type { Refusal } from "#server/trpc/refusal";
import { confirmPath, returnQueryOf, signInPath } from "./sign-in-path";

/**
 * Address to sign in, confirm, or set up a second factor; undefined for other refusals.
 * @param page the address to return to
 */
export function reauthPathOf(
  { reason, status }: Refusal,
  page: string | undefined,
): string | undefined {
  const back = page === undefined ? {} : returnQueryOf(page);
  if ((reason === undefined && status === 401) || reason === "SIGN_IN_STALE")
    return signInPath(back);
  if (reason === "CONFIRMATION_WANTED") return confirmPath(back);
  return reason === "SECOND_FACTOR_WANTED" ? "/admin" : undefined;
}

/** A page that answers a form without Next, mostly a refusal. */
export interface MessagePage {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
  /** Shown once. */
  readonly secret?: string;
  readonly on?: { readonly href: string; readonly text: string } | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

/** Renders the page without Next, because a form target is a route handler. */
export function renderMessagePage(shown: MessagePage, { headers: sent }: Request): Response {
  const {
    status,
    title,
    sentence,
    secret,
    on = { href: "/", text: "Go to the start page" },
    retryAfter,
  } = shown;
  const nonce = sent.get("x-nonce");
  const page = plainPage({
    title: asText(title),
    main: `<p>${asText(sentence)}</p>${secret ? `<p><code class="secret">${asText(secret)}</code></p>` : ""}<p><a href="${asText(on.href)}" class="way">${on.text}</a></p>`,
    theme: readCookie(sent.get("cookie"), themeCookieName),
    // The nonce allows the page's style under the request's policy.
    nonce: nonce && /^[A-Za-z0-9+/=]+$/.test(nonce) ? nonce : null,
  });
  const headers = new Headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...retryAfterHeader(status, retryAfter),
  });
  return new Response(page, { status, headers });
}

const asText = (words: string): string =>
  words.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const unreadableFormPage = {
  status: 400,
  title: "This form cannot be read",
  sentence: "Go back, reload the page and try again.",
};

export function describeRefusal(
  { status, code, message, retryAfter }: Refusal,
  requestId: string,
): MessagePage {
  const title = "That did not work";
  if (code === undefined)
    switch (status) {
      case 401:
        return { status: 403, title: "Sign-in refused", sentence: message ?? "Sign in first." };
      case 404:
        return {
          status,
          title: "There is no page at this address",
          sentence: "It may have moved.",
        };
      case 429: {
        const sentence = message ?? "Wait a minute and try again.";
        return { status, title: "Too many tries", sentence, retryAfter };
      }
      case 400:
        if (message === undefined) return unreadableFormPage;
    }
  if (message !== undefined) return { status, title, sentence: message, retryAfter };
  // The catalogue's message for unexpected faults asks for the request id, so the page shows it.
  const sentence = `Something went wrong. Quote this request id when you report it: ${requestId}`;
  return { status: 500, title, sentence };
}
