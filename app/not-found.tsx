import { NoSuchPage } from "./_parts/no-such-page";
import { BareShell } from "./_ui/bare-shell";

export const metadata = { title: "No such page" };

/** For addresses unknown to Next's router. Rendered along with each page, so it fetches nothing. */
export default function NotFound() {
  return (
    <BareShell>
      <NoSuchPage />
    </BareShell>
  );
}
