import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { portalContext } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { confirmPath } from "#app/_lib/sign-in-path";
import { Interactive } from "#app/_parts/interactive.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { isConfirmed } from "#server/auth/confirmation";
import { NewApplication } from "../../_parts/new-application";

export const metadata: Metadata = { title: "Register an application" };

const here = "/developers/new";

export default async function RegisterApplication() {
  const user = await requireUser(here);
  const { context } = await portalContext();
  // Asked for before the form is filled in, not after.
  if (!isConfirmed(context, user)) redirect(confirmPath({ next: here }));
  return (
    <div className="grid max-w-180 gap-6">
      <PageHeader
        title="Register an application"
        lead="Four short steps, then you get your credentials. Players see most of this before they approve."
      />
      <noscript>
        <Alert tone="warn">This form needs JavaScript.</Alert>
      </noscript>
      <Interactive>
        <NewApplication baseUrl={context.settings.baseUrl} />
      </Interactive>
    </div>
  );
}
