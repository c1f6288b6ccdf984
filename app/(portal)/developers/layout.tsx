import type { ReactNode } from "react";
import { csrfMeta } from "#app/_lib/csrf";
import { csrfToken } from "#app/_lib/csrf-token";

/** Carries the session's token for what the script of these pages calls. */
export default async function DevelopersLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <meta name={csrfMeta} content={await csrfToken()} />
      {children}
    </>
  );
}
