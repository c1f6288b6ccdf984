import { notFound } from "next/navigation";

export const metadata = { title: "No such page" };

/**
 * Unknown addresses match this route, because a root `not-found` would be rendered with each page.
 */
export default function Missing(): never {
  notFound();
}
