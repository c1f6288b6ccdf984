import { readCookie } from "#server/auth/cookies";
import { BackendError } from "#server/failures";
import { plainPage, themeCookieName } from "#server/platform/plain-page";
import { retryAfterHeader } from "#server/platform/response-headers";
import { errorCode, failureBehind, fieldErrors, refusalBehind } from "#server/trpc/refusal";
import { comingBackTo, confirmPath, signInPath } from "./sign-in-path";

/** Reason for a refused form. */
export interface Refused {
  readonly code?: number;
  readonly status?: number;
  readonly reason?: string;
  /** A field of the form or of the procedure's input. */
  readonly field?: string;
}

export function refusedBy(thrown: unknown): Refused {
  const failure = failureBehind(thrown);
  const { errors, reason } = (failure?.details ?? {}) as {
    errors?: [{ field?: string }];
    reason?: string;
  };
  const issues =
    errorCode(thrown) === "BAD_REQUEST" ? fieldErrors((thrown as Error).cause) : undefined;
  return {
    code: failure?.kind.code,
    status: failure?.kind.status,
    reason: refusalBehind(thrown)?.reason ?? reason,
    field: (issues ?? errors)?.[0]?.field,
  };
}

/**
 * Where to sign in, confirm, or set up a second factor.
 * @param page the address to return to
 */
export function wayOut(thrown: unknown, page: string | undefined): string | undefined {
  const reason = refusalBehind(thrown)?.reason;
  const unknown = reason === undefined && errorCode(thrown) === "UNAUTHORIZED";
  const back = page === undefined ? {} : comingBackTo(page);
  if (unknown || reason === "SIGN_IN_STALE") return signInPath(back);
  if (reason === "CONFIRMATION_WANTED") return confirmPath(back);
  return reason === "SECOND_FACTOR_WANTED" ? "/admin" : undefined;
}

/** Final page of a form outside of the portal's pages, mostly a refusal. */
export interface FormPage {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
  /** Shown once. */
  readonly secret?: string;
  readonly on?: { readonly href: string; readonly text: string } | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

/** Rendered here, because a form target is not a page of Next's. */
export function formPage(shown: FormPage, { headers: sent }: Request): Response {
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
    // It allows the style under the request's policy.
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

export const unreadable = {
  status: 400,
  title: "This form cannot be read",
  sentence: "Go back, reload the page and try again.",
};

/** With the rule's status and message, if there is one. */
export function refusalPage(thrown: unknown, requestId: string): FormPage {
  const refusal = refusalBehind(thrown);
  const failure = failureBehind(thrown);
  const title = "That did not work";
  // The catalogue's message for unexpected faults asks for the request id, so the page shows it.
  if (failure && failure.kind.code !== BackendError.code) {
    const { kind, message: sentence, retryAfter } = failure;
    return { status: kind.status, title, sentence, retryAfter };
  }
  const retryAfter = refusal?.retryAfter;
  switch (errorCode(thrown)) {
    case "UNAUTHORIZED":
      return {
        status: 403,
        title: "Sign-in refused",
        sentence: refusal?.message ?? "Sign in first.",
      };
    case "NOT_FOUND":
      return {
        status: 404,
        title: "There is no page at this address",
        sentence: "It may have moved.",
      };
    case "TOO_MANY_REQUESTS": {
      const sentence = refusal?.message ?? "Wait a minute and try again.";
      return { status: 429, title: "Too many tries", sentence, retryAfter };
    }
    case "BAD_REQUEST":
      if (!refusal) return unreadable;
  }
  if (refusal) return { status: refusal.status, title, sentence: refusal.message, retryAfter };
  const sentence = `Something went wrong. Quote this request id when you report it: ${requestId}`;
  return { status: 500, title, sentence };
}
