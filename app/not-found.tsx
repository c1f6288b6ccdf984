import { NoSuchPage } from "./_parts/no-such-page";
import { BareShell } from "./_ui/bare-shell";

export const metadata = { title: "No such page" };

/**
 * Shown for addresses unknown to Next's router. Next renders it with each page, so it fetches
 * nothing.
 */
export default function NotFound() {
  return (
    <BareShell>
      <NoSuchPage />
    </BareShell>
  );
}
