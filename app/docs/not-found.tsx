import type { Metadata } from "next";
import { NoSuchPage } from "#parts/no-such-page";

export const metadata: Metadata = { title: "No such page" };

export default function NotFound() {
  return <NoSuchPage />;
}
