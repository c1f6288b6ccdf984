import type { Metadata } from "next";
import { NoSuchPage } from "./_parts/no-such-page";
import { SiteFrame } from "./_parts/site-frame";

export const metadata: Metadata = { title: "No such page" };

export default function NotFound() {
  return (
    <SiteFrame>
      <NoSuchPage />
    </SiteFrame>
  );
}
