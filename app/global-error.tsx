"use client";

import "./globals.css";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import { readCookie } from "#server/auth/cookies";
import { BareShell } from "./_ui/bare-shell";
import { FaultMessage } from "./_ui/fault-message";
import { parseTheme, themeCookie } from "./_ui/theme";

type Props = { error: unknown; retry: () => void };

/** The visitor's colours: this document comes in the place of the one that knew them. */
function ownTheme() {
  if (typeof document === "undefined") return undefined;
  const theme = parseTheme(readCookie(document.cookie, themeCookie) ?? undefined);
  return theme === "system" ? undefined : theme;
}

/** A page that failed outside of a frame that could stay: a document of its own. */
export default function DocumentFault({ error, retry }: Props) {
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
          <FaultMessage error={error} retry={retry} />
        </BareShell>
      </body>
    </html>
  );
}
