import { buttonStyle } from "#app/_ui/class-names.tsx";
import { StateMessage } from "#app/_ui/state-message.tsx";

/** Sent along with every page, so its links bring no script. */
export function NoSuchPage() {
  return (
    <StateMessage
      kicker="404"
      title="There is no page at this address"
      actions={
        <>
          <a href="/" className={buttonStyle({ variant: "primary" })}>
            Home page
          </a>
          <a href="/docs" className={buttonStyle()}>
            Documentation
          </a>
        </>
      }
    >
      It may have moved, or the link may be incomplete. Or you don't have access.
    </StateMessage>
  );
}
