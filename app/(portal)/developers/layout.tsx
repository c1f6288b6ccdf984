import type { ReactNode } from "react";
import { csrfMeta } from "#lib/csrf-meta";
import { csrfToken } from "#lib/csrf-token";

/** Carries the session's token for what the script of these pages calls. */
export default async function DevelopersLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <meta name={csrfMeta} content={await csrfToken()} />
      {children}
    </>
  );
}
