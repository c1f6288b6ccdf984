import { createHash } from "node:crypto";
import type { ErrorPageReason } from "./identify-client";

interface Words {
  readonly title: string;
  /** For the player, who can do nothing about it but go back. */
  readonly sentence: string;
  /** For the developer of the application. */
  readonly advice: string;
}

const words: Record<ErrorPageReason, Words> = {
  "client-missing": {
    title: "The application did not identify itself",
    sentence: "The link that brought you here is incomplete. Nothing was shared, and nothing was changed.",
    advice: "Send exactly one client_id parameter, as shown on the application's page under Developers.",
  },
  "client-unknown": {
    title: "Unknown application",
    sentence: "No application with this ID can ask for access. Nothing was shared, and nothing was changed.",
    advice:
      "Compare client_id with the one on the application's page under Developers, which also says whether it is suspended.",
  },
  "redirect-uri-missing": {
    title: "The application did not say where to return to",
    sentence: "The link that brought you here is incomplete. Nothing was shared, and nothing was changed.",
    advice: "Send exactly one redirect_uri parameter, even when a single one is registered.",
  },
  "redirect-uri-unregistered": {
    title: "The application asked to return to an unregistered address",
    sentence:
      "Sending you there could hand your access to a stranger, so we stop here. Nothing was shared, and nothing was changed.",
    advice:
      "redirect_uri must equal a registered one character by character, with scheme, port, path, query and a trailing slash if it has one. A server-side application's hosted callback works for its owner alone, signed in here.",
  },
  "in-test": {
    title: "This application is in test",
    sentence:
      "Only its owner can use it until its developer says who they are and what happens to your data. Nothing was shared, and nothing was changed.",
    advice:
      "Sign in here as its owner, then start again. Other players can use it once its settings say all that they are told.",
  },
  "too-many-requests": {
    title: "Too many attempts",
    sentence: "Your network address asked for access too often. Wait a minute, then start again from the application.",
    advice: "One address may send sixty authorization requests a minute.",
  },
};

/** The tokens of the pages' own style (`app/globals.css`) that this page needs. */
const style = `:root{color-scheme:light dark;--canvas:light-dark(oklch(0.981 0.003 240),oklch(0.176 0.013 245));--surface:light-dark(oklch(1 0 0),oklch(0.208 0.015 245));--line:light-dark(oklch(0.905 0.008 240),oklch(0.3 0.018 245));--ink:light-dark(oklch(0.235 0.025 248),oklch(0.955 0.006 240));--soft:light-dark(oklch(0.43 0.025 246),oklch(0.795 0.014 242));--accent:light-dark(oklch(0.42 0.098 246),oklch(0.82 0.08 236));--brass:light-dark(oklch(0.78 0.12 80),oklch(0.81 0.115 84));--mark:light-dark(oklch(0.395 0.085 246),oklch(0.49 0.1 245))}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}body{margin:0;background:var(--canvas);color:var(--ink);font:1rem/1.6 Geist,system-ui,sans-serif}
header{padding:1rem 1.25rem;border-bottom:1px solid var(--line);background:var(--surface)}
header a{display:inline-flex;gap:.5rem;align-items:center;color:inherit;text-decoration:none;font-weight:600;letter-spacing:-.02em}
header svg{width:1.7em;height:1.7em;flex:none}.board{fill:var(--mark)}.button{fill:var(--brass)}.chevrons{fill:none;stroke:#fff;stroke-width:3}
main{max-width:40rem;margin:0 auto;padding:3rem 1.25rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}h2{font-size:1rem;margin:0 0 .5rem}
p{margin:0 0 1rem}section{border:1px solid var(--line);border-radius:.75rem;background:var(--surface);margin-top:2rem;padding:1.25rem}section p:last-child{margin:0}
.soft{color:var(--soft);font-size:.875rem}code{font:.875em Geist Mono,ui-monospace,monospace;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.2em}a:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:.2rem}`;

/** The mark of `app/_ui/logo.tsx`. */
const mark = `<svg viewBox="0 0 32 32" aria-hidden="true"><path class="board" d="M14.9 1.2a2.2 2.2 0 0 1 2.2 0l7.2 4a2.2 2.2 0 0 1 1.1 1.7l1.4 21.5a2.1 2.1 0 0 1-2.1 2.3H7.3a2.1 2.1 0 0 1-2.1-2.3L6.6 6.9a2.2 2.2 0 0 1 1.1-1.7z"/><circle class="button" cx="16" cy="8.4" r="2.8"/><path class="chevrons" d="m9.2 20.5 6.8-5.7 6.8 5.7M8.9 27.5l7.1-5.9 7.1 5.9"/></svg>`;

/** Nothing may run on this page, nothing may be loaded, and nobody may frame it: its own style is all that is let through. */
const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Headers of the error page; RFC 6749 section 10.13 and RFC 9700 section 4.16 want it unframeable. */
export const errorPageHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": policy,
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
};

interface ErrorPage {
  readonly reason: ErrorPageReason;
  readonly requestId: string;
  /** The value of the cookie in which the pages keep the reader's choice of a theme. */
  readonly theme: string | null;
  /** As `doctorLink` makes it. */
  readonly doctor: string;
}

/** The name of that cookie. */
export const themeCookieName = "adjutant_theme";

/** The page that a player sees when nobody can be sent back. What was sent stands nowhere but in the link to the doctor. */
export function errorPage({ reason, requestId, theme, doctor }: ErrorPage): string {
  const { title, sentence, advice } = words[reason];
  const chosen = theme === "light" || theme === "dark" ? ` data-theme="${theme}"` : "";
  return `<!doctype html>
<html lang="en"${chosen}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title} · Adjutant</title><style>${style}</style></head>
<body><header><a href="/">${mark}Adjutant</a></header>
<main><h1>${title}</h1><p>${sentence}</p><p><a href="/">Go to your start page</a></p>
<section><h2>For the developer of the application</h2><p>${advice}</p><p><a href="${doctor}">Let the doctor look at this request</a></p><p class="soft">Request ID <code>${requestId}</code></p></section></main></body>
</html>
`;
}

/** What an authorization request consists of. Whatever else was sent, perhaps a secret, goes into no link. */
const examined = new Set([
  ...["response_type", "client_id", "redirect_uri", "scope", "state", "response_mode", "prompt"],
  ...["code_challenge", "code_challenge_method"],
]);
/** The characters of addresses, scopes and opaque texts. A request with others is looked up by its ID: nobody writes on our page. */
const plain = /^[\w.~:/?#&=+@, -]*$/;
/** So is a longer one. Characters. */
const longestLink = 2_000;

/** Where the doctor says at once what is wrong with the request; an attribute's value. */
export function doctorLink(parameters: URLSearchParams, requestId: string): string {
  const sent = [...parameters].filter(([name]) => examined.has(name));
  const request = new URLSearchParams(sent);
  // Encoding leaves no letter that means something in an attribute.
  const link = (asked: string) => `/developers/doctor?${new URLSearchParams({ ask: asked })}`;
  const whole = link(`?${request}`);
  const isPlain = sent.length > 0 && sent.every(([, value]) => plain.test(value));
  return isPlain && whole.length <= longestLink ? whole : link(requestId);
}
