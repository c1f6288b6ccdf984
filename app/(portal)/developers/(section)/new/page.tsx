import type { Metadata } from "next";
import { requireUser } from "#lib/current-user";
import { portalContext } from "#lib/portal-context";
import { Alert } from "#ui/alert";
import { PageHeader } from "#ui/page-header";
import { NewApplication } from "../../_parts/new-application";

export const metadata: Metadata = { title: "Register an application" };

export default async function RegisterApplication() {
  await requireUser("/developers/new");
  const { context } = await portalContext();
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
