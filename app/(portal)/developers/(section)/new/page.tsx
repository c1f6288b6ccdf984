import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { confirmPath } from "#lib/confirm-path";
import { requireUser } from "#lib/current-user";
import { portalContext } from "#lib/portal-context";
import { isConfirmed } from "#server/auth/confirmation";
import { Alert } from "#ui/alert";
import { PageHeader } from "#ui/page-header";
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
        lead="Four short steps, then you get your credentials. Players see most of what you write here before they approve."
      />
      <noscript>
        <Alert tone="warn">This form needs JavaScript.</Alert>
      </noscript>
      <NewApplication baseUrl={context.settings.baseUrl} />
    </div>
  );
}
