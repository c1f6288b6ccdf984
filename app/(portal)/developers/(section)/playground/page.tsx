import type { Metadata } from "next";
import { portalContext } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { prefetcher } from "#app/_lib/prefetcher";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { Alert } from "#app/_ui/alert.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { Playground } from "./_parts/playground";

export const metadata: Metadata = { title: "Playground" };

export default async function PlaygroundPage({ searchParams }: { searchParams: SearchParams }) {
  await requireUser("/developers/playground");
  const { context } = await portalContext();
  const helpers = await prefetcher();
  const applications = await helpers.applications.listPublic.fetch();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Playground"
        lead="Run the real authorization code flow with PKCE in this browser, as one of your public applications. Then make any call and see its request, headers and response."
      />
      <noscript>
        <Alert tone="warn">The playground needs JavaScript.</Alert>
      </noscript>
      <Playground
        baseUrl={context.settings.baseUrl}
        wanted={await readParam(searchParams, "client_id")}
        usable={applications.map(({ clientId, name, scopes }) => ({ clientId, name, scopes }))}
        known={helpers.dehydrate()}
      />
    </div>
  );
}
