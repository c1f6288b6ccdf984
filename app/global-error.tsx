"use client";

import "./globals.css";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import { BareShell } from "./_ui/bare-shell";
import { FaultMessage } from "./_ui/fault-message";

type Props = { error: unknown; retry: () => void };

/** The last resort, when the root layout itself failed: a document of its own. */
export default function DocumentFault({ error, retry }: Props) {
  return (
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body>
        <title>Something failed · Adjutant</title>
        <BareShell>
          <FaultMessage error={error} retry={retry} />
        </BareShell>
      </body>
    </html>
  );
}
