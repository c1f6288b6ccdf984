import { gameName } from "#app/_lib/settings";
import { LinkButton } from "#app/_ui/text-link.tsx";

/** Where a banker pays: the game's page, filled in; where the game is simulated, the page that makes things happen in it. */
export const VaultLink = ({ url, size }: { url: string | null; size?: "sm" }) => (
  <LinkButton href={url ?? "/demo"} size={size}>
    {url === null ? "Pay on the demo page" : `Open the vault in ${gameName()}`}
  </LinkButton>
);
