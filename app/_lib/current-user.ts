import { redirect } from "next/navigation";
import type { PortalUser } from "#server/actor";
import { portalContext } from "./portal-context";
import { signInPath } from "./sign-in-path";

/** Who is signed in, or null. For server components. */
export const currentUser = async (): Promise<PortalUser | null> => (await portalContext()).user;

/**
 * Who is signed in; anybody else is sent to the sign-in page and comes back.
 * @param next the page's own path
 */
export async function requireUser(next: string): Promise<PortalUser> {
  return (await currentUser()) ?? redirect(signInPath({ next }));
}
