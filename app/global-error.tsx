"use client";

import "./globals.css";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import { readCookie } from "#server/auth/cookies";
import { BareShell } from "./_ui/bare-shell";
import { ErrorFallback } from "./_ui/error-fallback";
import { parseTheme, themeCookie } from "./_ui/theme";

/** Reads the theme again, because this document replaces the document that had it. */
function ownTheme() {
  if (typeof document === "undefined") return undefined;
  const theme = parseTheme(readCookie(document.cookie, themeCookie) ?? undefined);
  return theme === "system" ? undefined : theme;
}

/** Replaces the whole document, for faults outside of any frame. */
export default function DocumentFault({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <html
      lang="en"
      data-theme={ownTheme()}
      suppressHydrationWarning
      className={`${GeistSans.variable} ${GeistMono.variable}`}
    >
      <body>
        <title>Something failed · Adjutant</title>
        <BareShell>
          <ErrorFallback error={error} retry={retry} />
        </BareShell>
      </body>
    </html>
  );
}
