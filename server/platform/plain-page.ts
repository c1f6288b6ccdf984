export const themeCookieName = "adjutant_theme";

/** Repeats the tokens of `app/globals.css`. */
export const plainPageStyle = `:root{color-scheme:light dark;--canvas:light-dark(oklch(0.981 0.003 240),oklch(0.176 0.013 245));--surface:light-dark(oklch(1 0 0),oklch(0.208 0.015 245));--line:light-dark(oklch(0.905 0.008 240),oklch(0.3 0.018 245));--ink:light-dark(oklch(0.235 0.025 248),oklch(0.955 0.006 240));--soft:light-dark(oklch(0.43 0.025 246),oklch(0.795 0.014 242));--link:light-dark(oklch(0.42 0.098 246),oklch(0.82 0.08 236));--accent:light-dark(oklch(0.395 0.085 246),oklch(0.8 0.085 236));--on-accent:light-dark(oklch(1 0 0),oklch(0.19 0.04 248));--rank:light-dark(oklch(0.62 0.02 240),oklch(0.55 0.02 242));--brass:light-dark(oklch(0.78 0.12 80),oklch(0.81 0.115 84));--mark:light-dark(oklch(0.395 0.085 246),oklch(0.49 0.1 245))}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}body{display:flex;flex-direction:column;min-height:100dvh;margin:0;background:var(--canvas);color:var(--ink);font:1rem/1.55 Geist,system-ui,sans-serif}
header{width:100%;max-width:72rem;margin:0 auto;padding:.75rem 1rem 0}
header a{display:inline-flex;gap:.5rem;align-items:center;color:inherit;text-decoration:none;font-weight:600;font-size:1.125rem;letter-spacing:-.02em}
header svg{width:1.7em;height:1.7em;flex:none}.board{fill:var(--mark)}.button{fill:var(--brass)}.chevrons{fill:none;stroke:#fff;stroke-width:3}
main{width:100%;max-width:30rem;margin:auto;padding:2rem 1rem;overflow-wrap:anywhere}
main>svg{display:block;width:3rem;height:1.25rem}.rank{fill:none;stroke:var(--rank);stroke-width:2.6}
h1{font-size:1.5rem;line-height:1.25;letter-spacing:-.02em;font-weight:600;margin:1.25rem 0 .5rem}h2{font-size:1rem;font-weight:600;margin:0 0 .5rem}
p{margin:0 0 1rem;color:var(--soft)}section{border-top:1px solid var(--line);margin-top:2rem;padding-top:1.25rem;font-size:.875rem}section p:last-child{margin:0}
.soft{font-size:.875rem}code{font:.875em Geist Mono,ui-monospace,monospace}
a{color:var(--link);text-underline-offset:.2em}a:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:.2rem}
.way{display:inline-flex;align-items:center;min-height:2.5rem;padding:0 1rem;border-radius:.4375rem;background:var(--accent);color:var(--on-accent);font-weight:500;text-decoration:none}
@media(min-width:40rem){header{padding:1.25rem 1.5rem 0}main{padding:3.5rem 1rem}}
.secret{display:block;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--surface);user-select:all}`;

/** A copy of `app/_ui/logo.tsx`. */
const mark = `<svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true"><path class="board" d="M14.9 1.2a2.2 2.2 0 0 1 2.2 0l7.2 4a2.2 2.2 0 0 1 1.1 1.7l1.4 21.5a2.1 2.1 0 0 1-2.1 2.3H7.3a2.1 2.1 0 0 1-2.1-2.3L6.6 6.9a2.2 2.2 0 0 1 1.1-1.7z"/><circle class="button" cx="16" cy="8.4" r="2.8"/><path class="chevrons" d="m9.2 20.5 6.8-5.7 6.8 5.7M8.9 27.5l7.1-5.9 7.1 5.9"/></svg>`;

/** A copy of `StateMessage` in `app/_ui/state-message.tsx`. */
const figure = `<svg viewBox="0 0 48 20" aria-hidden="true"><circle class="button" cx="4" cy="10" r="3"/><path class="rank" d="m14 17 8-7-8-7M26 17l8-7-8-7"/></svg>`;

interface PlainPage {
  /** HTML, like `main`. */
  readonly title: string;
  readonly main: string;
  readonly theme: string | null;
  /** Null omits the style. */
  readonly nonce?: string | null;
}

export function plainPage({ title, main, theme, nonce }: PlainPage): string {
  const chosen = theme === "light" || theme === "dark" ? ` data-theme="${theme}"` : "";
  const style =
    nonce === null ? "" : `<style${nonce ? ` nonce="${nonce}"` : ""}>${plainPageStyle}</style>`;
  return `<!doctype html>
<html lang="en"${chosen}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title} · Adjutant</title>${style}</head>
<body><header><a href="/">${mark}Adjutant</a></header>
<main>${figure}<h1>${title}</h1>${main}</main></body>
</html>
`;
}
