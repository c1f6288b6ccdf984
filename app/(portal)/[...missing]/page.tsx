import type { Metadata } from "next";
import { notFound } from "next/navigation";

export const metadata: Metadata = { title: "No such page" };

/**
 * Every address that no other page has. It says so in the portal's frame, which the root's own `not-found` would need too: and
 * that one Next renders along with each page of the product.
 */
export default function Missing(): never {
  notFound();
}
