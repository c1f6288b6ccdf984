import { cookies } from "next/headers";
import { cache } from "react";
import type { Viewer } from "#app/_ui/site-header.tsx";
import { parseTheme, type Theme, themeCookie } from "#app/_ui/theme.tsx";
import { caller, csrfToken } from "./caller";
import { csrfField } from "./csrf";
import { pageSettings } from "./settings";

/** Who is signed in, as the header shows it; null for a visitor. Asked once for a page, however many parts want it. */
export const currentViewer = cache(async (): Promise<Viewer | null> => {
  const session = await (await caller()).session.current();
  if (!session) return null;
  return {
    name: session.player.name,
    playerId: session.player.id,
    detail: session.player.factionName,
    payableRequests: session.payableRequests,
    failingApplications: session.failingApplications,
    links: [
      { href: "/account", label: "Account" },
      { href: "/account/apps", label: "Connected apps" },
      { href: "/account/sessions", label: "Where you are signed in" },
      { href: "/account/notices", label: "Notices", waiting: { count: session.unreadNotices, what: "unread" } },
      { href: "/developers", label: "Your applications" },
      ...(pageSettings().demo === "off" ? [] : [{ href: "/demo", label: "Demo" }]),
      ...(session.admin ? [{ href: "/admin", label: "Administration" }] : []),
    ],
    signOut: { action: "/sign-out", csrf: { name: csrfField, value: await csrfToken() } },
  };
});

/** The colours that this browser chose. */
export const currentTheme = async (): Promise<Theme> => parseTheme((await cookies()).get(themeCookie)?.value);
