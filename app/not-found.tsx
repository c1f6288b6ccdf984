import type { Metadata } from "next";
import { SiteFrame } from "#parts/site-frame";
import { LinkButton } from "#ui/link-button";
import { StateMessage } from "#ui/state-message";

export const metadata: Metadata = { title: "No such page" };

export default function NotFound() {
  return (
    <SiteFrame>
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
    </SiteFrame>
  );
}
