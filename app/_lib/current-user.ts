import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { Viewer } from "#app/_ui/page-shell.tsx";
import { parseTheme, type Theme, themeCookie } from "#app/_ui/theme.tsx";
import type { PortalUser } from "#server/actor";
import { mayAdminister } from "#server/auth/second-factor/second-factor-acts";
import { type ApplicationRight, mayDo } from "#server/oauth/clients/team/rights";
import { pagePathHeader } from "#server/platform/peer-address";
import { caller, csrfToken, orNotFound, portalContext } from "./caller";
import { csrfField } from "./csrf";
import { pageSettings } from "./settings";
import { confirmPath, signInPath } from "./sign-in-path";

export const currentUser = async (): Promise<PortalUser | null> => (await portalContext()).user;

export async function requireUser(): Promise<PortalUser> {
  return (await currentUser()) ?? redirect(signInPath({ next: await pageAddress() }));
}

export async function playerCaller() {
  await requireUser();
  return caller();
}

/** Path and query; undefined outside of a page. */
export const pageAddress = async (): Promise<string | undefined> =>
  (await headers()).get(pagePathHeader) ?? undefined;

const teamApplication = cache(async (clientId: string) =>
  orNotFound((await playerCaller()).applications.get({ clientId })),
);

/** Players outside of the team, and members without the right, get "not found". */
export async function requireApplication(
  { clientId }: { readonly clientId: string },
  right: ApplicationRight = "figures",
) {
  const application = await teamApplication(clientId);
  if (!mayDo(application.role, right)) notFound();
  return application;
}

export const applicationMetadata =
  (what: string) =>
  async ({ params }: { params: Promise<{ clientId: string }> }): Promise<Metadata> => ({
    title: `${what} ${(await requireApplication(await params)).name}`,
  });

/** Returns only for an admin session that passed the second factor. */
export async function adminCaller() {
  const { user, context } = await portalContext();
  if (!user?.admin) notFound();
  if (mayAdminister(user, context.settings)) return caller();
  redirect(
    user.secondFactor === "off"
      ? "/account/security?for=admin"
      : confirmPath({ next: await pageAddress() }),
  );
}

export async function adminMetadata(title: string): Promise<Metadata> {
  await adminCaller();
  return { title: `${title} · Administration` };
}

export const currentViewer = cache(async (): Promise<Viewer | null> => {
  const session = await (await caller()).session.current();
  if (!session) return null;
  return {
    name: session.player.name,
    playerId: session.player.id,
    factionName: session.player.factionName,
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
    signOut: { [csrfField]: await csrfToken() },
  };
});

export const currentTheme = async (): Promise<Theme> =>
  parseTheme((await cookies()).get(themeCookie)?.value);
