/** The name of the cookie in which the pages keep the reader's choice of a theme. */
export const themeCookieName = "adjutant_theme";

/** The tokens of the pages' own style (`app/globals.css`) that such a page needs. */
export const plainPageStyle = `:root{color-scheme:light dark;--canvas:light-dark(oklch(0.981 0.003 240),oklch(0.176 0.013 245));--surface:light-dark(oklch(1 0 0),oklch(0.208 0.015 245));--line:light-dark(oklch(0.905 0.008 240),oklch(0.3 0.018 245));--ink:light-dark(oklch(0.235 0.025 248),oklch(0.955 0.006 240));--soft:light-dark(oklch(0.43 0.025 246),oklch(0.795 0.014 242));--accent:light-dark(oklch(0.42 0.098 246),oklch(0.82 0.08 236));--brass:light-dark(oklch(0.78 0.12 80),oklch(0.81 0.115 84));--mark:light-dark(oklch(0.395 0.085 246),oklch(0.49 0.1 245))}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}body{margin:0;background:var(--canvas);color:var(--ink);font:1rem/1.6 Geist,system-ui,sans-serif}
header{padding:1rem 1.25rem;border-bottom:1px solid var(--line);background:var(--surface)}
header a{display:inline-flex;gap:.5rem;align-items:center;color:inherit;text-decoration:none;font-weight:600;letter-spacing:-.02em}
header svg{width:1.7em;height:1.7em;flex:none}.board{fill:var(--mark)}.button{fill:var(--brass)}.chevrons{fill:none;stroke:#fff;stroke-width:3}
main{max-width:40rem;margin:0 auto;padding:3rem 1.25rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}h2{font-size:1rem;margin:0 0 .5rem}
p{margin:0 0 1rem}section{border:1px solid var(--line);border-radius:.75rem;background:var(--surface);margin-top:2rem;padding:1.25rem}section p:last-child{margin:0}
.soft{color:var(--soft);font-size:.875rem}code{font:.875em Geist Mono,ui-monospace,monospace;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.2em}a:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:.2rem}
.secret{display:block;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--surface);user-select:all}`;

/** The mark of `app/_ui/logo.tsx`. */
const mark = `<svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true"><path class="board" d="M14.9 1.2a2.2 2.2 0 0 1 2.2 0l7.2 4a2.2 2.2 0 0 1 1.1 1.7l1.4 21.5a2.1 2.1 0 0 1-2.1 2.3H7.3a2.1 2.1 0 0 1-2.1-2.3L6.6 6.9a2.2 2.2 0 0 1 1.1-1.7z"/><circle class="button" cx="16" cy="8.4" r="2.8"/><path class="chevrons" d="m9.2 20.5 6.8-5.7 6.8 5.7M8.9 27.5l7.1-5.9 7.1 5.9"/></svg>`;

interface PlainPage {
  /** HTML, as `main` is. */
  readonly title: string;
  readonly main: string;
  /** The value of that cookie. */
  readonly theme: string | null;
  /** Of the style element: what the page's policy knows it by. Null leaves the style out. */
  readonly nonce?: string | null;
  /** An address, as an attribute's value, to which the browser goes on by itself. */
  readonly onTo?: string;
}

/** A page of ours that none of Next's can be: it answers a request that Next does not render, in the product's own looks. */
export function plainPage({ title, main, theme, nonce, onTo }: PlainPage): string {
  const chosen = theme === "light" || theme === "dark" ? ` data-theme="${theme}"` : "";
  const style =
    nonce === null ? "" : `<style${nonce ? ` nonce="${nonce}"` : ""}>${plainPageStyle}</style>`;
  const refresh = onTo ? `<meta http-equiv="refresh" content="0;url=${onTo}">` : "";
  return `<!doctype html>
<html lang="en"${chosen}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">${refresh}<title>${title} · Adjutant</title>${style}</head>
<body><header><a href="/">${mark}Adjutant</a></header>
<main><h1>${title}</h1>${main}</main></body>
</html>
`;
}
