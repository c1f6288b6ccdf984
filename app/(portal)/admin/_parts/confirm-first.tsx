import type { ReactNode } from "react";
import { portalContext } from "#app/_lib/caller";
import { pageAddress } from "#app/_lib/current-user";
import { confirmPath } from "#app/_lib/sign-in-path";
import { Card } from "#app/_ui/card.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { isConfirmed } from "#server/auth/confirmation";

/** Acts that want a confirmation: it is asked for before a reason is typed, which would be lost on the way. */
export async function ConfirmFirst({ children }: { children: ReactNode }) {
  const { user, context } = await portalContext();
  if (user && isConfirmed(context, user)) return children;
  return (
    <Card
      title="Actions"
      footer={
        <>
          <span>Confirm it's you before you change anything here.</span>
          <LinkButton href={confirmPath({ next: await pageAddress() })} document size="sm">
            Confirm it's you
          </LinkButton>
        </>
      }
    />
  );
}
