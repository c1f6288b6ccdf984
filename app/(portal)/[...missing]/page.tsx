import { notFound } from "next/navigation";

export const metadata = { title: "No such page" };

/**
 * Catches unknown addresses: a root `not-found` with the portal's frame would be rendered along
 * with each page.
 */
export default function Missing(): never {
  notFound();
}
