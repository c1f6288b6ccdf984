import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { Viewer } from "#app/_ui/site-header.tsx";
import { parseTheme, type Theme, themeCookie } from "#app/_ui/theme.tsx";
import type { PortalUser } from "#server/actor";
import { mayAdminister } from "#server/auth/second-factor/second-factor-acts";
import { pageAddressHeader } from "#server/platform/peer-address";
import { caller, csrfToken, isUnknown, portalContext } from "./caller";
import { csrfField } from "./csrf";
import { pageSettings } from "./settings";
import { confirmPath, signInPath } from "./sign-in-path";

/** The signed-in player, or null. For server components. */
export const currentUser = async (): Promise<PortalUser | null> => (await portalContext()).user;

/** The signed-in player; a visitor is sent to the sign-in page and comes back to the page as they asked for it. */
export async function requireUser(): Promise<PortalUser> {
  return (await currentUser()) ?? redirect(signInPath({ next: await pageAddress() }));
}

/**
 * The address of the page that is asked for, its query included: what leads back to it. Undefined
 * if the front did not set it.
 */
export const pageAddress = async (): Promise<string | undefined> =>
  (await headers()).get(pageAddressHeader) ?? undefined;

/**
 * The signed-in developer's application, asked once for a page; "no such page" for what is not theirs or does not exist.
 * @param clientId from the address
 */
export const ownApplication = cache(async (clientId: string) => {
  await requireUser();
  return (await caller()).applications
    .get({ clientId: clientId.slice(0, 100) })
    .catch((thrown: unknown) => {
      if (isUnknown(thrown)) notFound();
      throw thrown;
    });
});

/** The page where an admin sets up the second factor that administration wants. */
export const setUpForAdmins = "/account/security?for=admin";

/**
 * The admin of this session. Anybody else gets a 404. An admin without a second factor
 * is sent to set one up; one with a session that has not passed it, to confirm.
 */
export async function requireAdmin(): Promise<PortalUser> {
  const { user, context } = await portalContext();
  if (!user?.admin) notFound();
  if (mayAdminister(user, context.settings)) return user;
  redirect(
    user.secondFactor === "off" ? setUpForAdmins : confirmPath({ next: await pageAddress() }),
  );
}

/** The title of a page for admins, which others must not read either. */
export async function adminTitle(title: string): Promise<Metadata> {
  await requireAdmin();
  return { title: `${title} · Administration` };
}

/** The signed-in player as the header shows them; null for a visitor. Asked once for a page, however many parts want it. */
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
      { href: "/account/sessions", label: "Sessions" },
      {
        href: "/account/notices",
        label: "Notices",
        waiting: { count: session.unreadNotices, what: "unread" },
      },
      { href: "/developers", label: "Applications" },
      ...(pageSettings().demo === "off" ? [] : [{ href: "/demo", label: "Demo" }]),
      ...(session.admin ? [{ href: "/admin", label: "Administration" }] : []),
    ],
    signOut: { action: "/sign-out", csrf: { name: csrfField, value: await csrfToken() } },
  };
});

/** The colours that this browser chose. */
export const currentTheme = async (): Promise<Theme> =>
  parseTheme((await cookies()).get(themeCookie)?.value);
