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

const style = `:root{color-scheme:light dark;--ink:#1c1b1f;--soft:#55525c;--line:#dcd9e2;--ground:#fbfafc}
@media (prefers-color-scheme:dark){:root{--ink:#f2f0f5;--soft:#b3aebd;--line:#3a3742;--ground:#151418}}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.6 system-ui,sans-serif}
main{max-width:36rem;margin:0 auto;padding:15vh 1.5rem 3rem}
h1{font-size:1.5rem;line-height:1.25;margin:.25rem 0 1rem}
p{margin:0 0 1rem}.mark,aside{color:var(--soft)}
aside{border-top:1px solid var(--line);margin-top:2rem;padding-top:1rem;font-size:.875rem}
a{color:inherit}`;

/** Nothing may run on this page, nothing may be loaded, and nobody may frame it: its own style is all that is let through. */
const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Headers of the error page; RFC 6749 section 10.13 and RFC 9700 section 4.16 want it unframeable. */
export const errorPageHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": policy,
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
};

/** The page that a player sees when nobody can be sent back. All of it is our own text: nothing that was sent appears in it. */
export function errorPage(reason: ErrorPageReason): string {
  const { title, sentence, advice } = words[reason];
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title} · Adjutant</title><style>${style}</style></head>
<body><main><p class="mark">Adjutant</p><h1>${title}</h1><p>${sentence}</p><p><a href="/">Go to Adjutant</a></p><aside><strong>For the developer:</strong> ${advice} The <a href="/developers/doctor">doctor</a> says what is wrong with a link.</aside></main></body>
</html>
`;
}
