import type { Metadata } from "next";
import { NoSuchPage } from "#parts/no-such-page";
import { SiteFrame } from "#parts/site-frame";

export const metadata: Metadata = { title: "No such page" };

export default function NotFound() {
  return (
    <SiteFrame>
      <NoSuchPage />
    </SiteFrame>
  );
}
