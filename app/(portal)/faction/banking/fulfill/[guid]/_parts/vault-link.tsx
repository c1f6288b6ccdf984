import { gameName } from "#app/_lib/settings";
import { LinkButton } from "#app/_ui/text-link.tsx";

/** Where a banker pays: the game's page, filled in; where the game is simulated, the page that makes things happen in it. */
export const VaultLink = ({ url }: { url: string | null }) =>
  url === null ? (
    <LinkButton href="/demo">Pay on the demo page</LinkButton>
  ) : (
    <LinkButton href={url}>Open the vault in {gameName()}</LinkButton>
  );
