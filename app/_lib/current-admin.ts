import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { PortalUser } from "#server/actor";
import { currentUser } from "./current-user";

/** The admin who asks for the page. For anybody else, signed in or not, there is no such page. */
export async function requireAdmin(): Promise<PortalUser> {
  const user = await currentUser();
  if (!user?.admin) notFound();
  return user;
}

/** The title of a page for admins, which others must not read either. */
export async function adminTitle(title: string): Promise<Metadata> {
  await requireAdmin();
  return { title: `${title} · Administration` };
}
