import type { Metadata } from "next";
import { NoSuchPage } from "./_parts/no-such-page";
import { BareShell } from "./_ui/bare-shell";

export const metadata: Metadata = { title: "No such page" };

/** The page for addresses that Next knows nothing of before it looks at pages. It is rendered along with each page, so it asks for nothing. */
export default function NotFound() {
  return (
    <BareShell>
      <NoSuchPage />
    </BareShell>
  );
}
