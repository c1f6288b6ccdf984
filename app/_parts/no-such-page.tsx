import { StateMessage } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";

/** What stands in a page's place where there is none. */
export function NoSuchPage() {
  return (
    <StateMessage
      kicker="404"
      title="There is no page at this address"
      actions={
        <>
          <LinkButton href="/" variant="primary">
            Home page
          </LinkButton>
          <LinkButton href="/docs">Documentation</LinkButton>
        </>
      }
    >
      It may have moved, or the link may be incomplete. Pages that belong to somebody else look the same as pages that
      do not exist.
    </StateMessage>
  );
}
