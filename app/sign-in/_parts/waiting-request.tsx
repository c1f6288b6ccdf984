import { Emblem } from "#app/_parts/emblem.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import type { WaitingRequest as Waiting } from "#server/oauth/authorize/show-request";

type Props = { waiting: Waiting };

/** The sign-in alone allows nothing. */
export function WaitingRequest({ waiting: { application, redirectHost } }: Props) {
  const name = <bdi>{application.name}</bdi>;
  return (
    <PageHeader
      media={<Emblem of={application} size="lg" />}
      title={<>{name} asks for access</>}
      lead={
        <>
          Sign in first, then you decide what {name} {redirectHost && <>({redirectHost}) </>}may
          see. Signing in allows nothing yet.
        </>
      }
    />
  );
}
