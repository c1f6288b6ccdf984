import { retryAfterHeader } from "#server/platform/retry-after";

/** Sends the browser on after a form was acted on; it asks for the new address with GET (RFC 9110 section 15.4.4). */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({
    location,
    "cache-control": "no-store",
    // The address of a form's target says what was done; the site that comes next has no use for it.
    "referrer-policy": "no-referrer",
  });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/** Why a form is refused, in our own words. */
export interface FormRefusal {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
  /** The way on. */
  readonly on?: { readonly href: string; readonly text: string };
  /** Seconds. */
  readonly retryAfter?: number;
}

const style =
  "body{font:16px/1.6 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh;background:Canvas;color:CanvasText}main{max-width:32rem;padding:1.5rem}h1{font-size:1.375rem;line-height:1.3;margin:0 0 .5rem}";

/**
 * The page that a refused form ends at. A form target is no page of Next's, so it stands here whole.
 * @param nonce allows its style under the request's policy
 */
export function refusedForm(refusal: FormRefusal, nonce: string | null): Response {
  const { status, title, sentence, on = { href: "/", text: "Go to the start page" }, retryAfter } = refusal;
  const styled = nonce && /^[A-Za-z0-9+/=]+$/.test(nonce) ? `<style nonce="${nonce}">${style}</style>` : "";
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title} · Adjutant</title>${styled}`;
  const main = `<h1>${title}</h1><p>${asText(sentence)}</p><p><a href="${on.href}">${on.text}</a></p>`;
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
