import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { PortalUser } from "#server/actor";
import { mayAdminister } from "#server/auth/second-factor/second-factor-acts";
import { pageAddressHeader } from "#server/platform/peer-address";
import { portalContext } from "./caller";
import { confirmPath, signInPath } from "./sign-in-path";

/** Who is signed in, or null. For server components. */
export const currentUser = async (): Promise<PortalUser | null> => (await portalContext()).user;

/** The address of the page that is asked for, its query included: what leads back to it. Undefined where nobody told it. */
export const pageAddress = async (): Promise<string | undefined> =>
  (await headers()).get(pageAddressHeader) ?? undefined;

/** Who is signed in; anybody else is sent to the sign-in page and comes back to the page as they asked for it. */
export async function requireUser(): Promise<PortalUser> {
  return (await currentUser()) ?? redirect(signInPath({ next: await pageAddress() }));
}

/** Where an admin sets up the second factor that administration wants. */
export const setUpForAdmins = "/account/security?for=admin";

/**
 * The admin who asks for the page. For anybody else, signed in or not, there is no such page. An admin without a second factor
 * is sent to set one up; one whose session has not passed it, to confirm with it.
 */
export async function requireAdmin(): Promise<PortalUser> {
  const { user, context } = await portalContext();
  if (!user?.admin) notFound();
  if (mayAdminister(user, context.settings)) return user;
  redirect(user.secondFactor === "off" ? setUpForAdmins : confirmPath({ next: await pageAddress() }));
}

/** The title of a page for admins, which others must not read either. */
export async function adminTitle(title: string): Promise<Metadata> {
  await requireAdmin();
  return { title: `${title} · Administration` };
}
