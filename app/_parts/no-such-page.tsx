import { LinkButton } from "#app/_ui/link-button.tsx";
import { StateMessage } from "#app/_ui/state-message.tsx";

/** What stands in a page's place where there is none. */
export function NoSuchPage() {
  return (
    <StateMessage
      kicker="404"
      title="There is no page at this address"
      actions={
        <>
          <LinkButton href="/" variant="primary">
            To the start
          </LinkButton>
          <LinkButton href="/docs">Documentation</LinkButton>
        </>
      }
    >
      It may have moved, or the link may be cut short. What belongs to somebody else looks the same as what does not
      exist.
    </StateMessage>
  );
}
