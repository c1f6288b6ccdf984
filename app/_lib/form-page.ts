import { retryAfterHeader } from "#server/platform/retry-after";
import { errorCode, failureBehind, refusalBehind } from "#server/trpc/refusal";

/** What a form ends at where that is no page of the portal: mostly why it is refused, in our own words. */
export interface FormPage {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
  /** Told this once, to be copied. */
  readonly secret?: string;
  /** The way on. */
  readonly on?: { readonly href: string; readonly text: string } | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

const style =
  "body{font:16px/1.6 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh;background:Canvas;color:CanvasText}main{max-width:32rem;padding:1.5rem}h1{font-size:1.375rem;line-height:1.3;margin:0 0 .5rem}code{display:block;padding:.75rem;border:1px solid;overflow-wrap:anywhere;user-select:all}";

/**
 * The page that such a form ends at. A form target is no page of Next's, so it stands here whole.
 * @param nonce allows its style under the request's policy
 */
export function formPage(shown: FormPage, nonce: string | null): Response {
  const { status, title, sentence, secret, on = { href: "/", text: "Go to the start page" }, retryAfter } = shown;
  const styled = nonce && /^[A-Za-z0-9+/=]+$/.test(nonce) ? `<style nonce="${nonce}">${style}</style>` : "";
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title} · Adjutant</title>${styled}`;
  const main = `<h1>${title}</h1><p>${asText(sentence)}</p>${secret ? `<p><code>${asText(secret)}</code></p>` : ""}<p><a href="${asText(on.href)}">${on.text}</a></p>`;
  const headers = new Headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...retryAfterHeader(status, retryAfter),
  });
  const page = `<!doctype html><html lang="en"><head>${head}</head><body><main>${main}</main></body></html>`;
  return new Response(page, { status, headers });
}

const asText = (words: string): string => words.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const unreadable = {
  status: 400,
  title: "This form cannot be read",
  sentence: "Go back, reload the page and try again.",
};

/** What the page says of something thrown, with the status and the words of the rule that refused it, where there is one. */
export function refusalPage(thrown: unknown, requestId: string): FormPage {
  const refusal = refusalBehind(thrown);
  const failure = failureBehind(thrown);
  const title = "That did not work";
  if (failure) {
    const { kind, message: sentence, retryAfter } = failure;
    return { status: kind.status, title, sentence, retryAfter };
  }
  const retryAfter = refusal?.retryAfter;
  switch (errorCode(thrown)) {
    case "UNAUTHORIZED":
      return { status: 403, title: "Sign-in refused", sentence: refusal?.message ?? "Sign in first." };
    case "NOT_FOUND":
      return { status: 404, title: "There is no page at this address", sentence: "It may have moved." };
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
