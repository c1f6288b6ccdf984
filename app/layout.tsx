import "./globals.css";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { currentTheme } from "./_lib/current-user";
import { DoubleSubmitGuard } from "./_parts/double-submit-guard";

export const metadata: Metadata = {
  title: { default: "Adjutant", template: "%s · Adjutant" },
  description:
    "A companion service for players: players choose what each application may see and do.",
  applicationName: "Adjutant",
  formatDetection: { telephone: false, email: false, address: false },
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#12191f" },
  ],
};

/** Reading a cookie forces rendering per request, which the nonce needs. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = await currentTheme();
  return (
    <html
      lang="en"
      data-theme={theme === "system" ? undefined : theme}
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <body>
        {children}
        <DoubleSubmitGuard />
      </body>
    </html>
  );
}
