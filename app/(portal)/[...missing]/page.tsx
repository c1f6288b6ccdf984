import { notFound } from "next/navigation";

export const metadata = { title: "No such page" };

/**
 * The catch-all for unknown addresses. A root `not-found` with the portal's frame would be rendered
 * along with each page.
 */
export default function Missing(): never {
  notFound();
}
