import type { Metadata } from "next";
import { portalContext } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { ClientProviders, prefetcher } from "#app/_parts/interactive.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { callableEndpointOf } from "#app/docs/_parts/describe-endpoint";
import { expandAliases } from "#server/rest/router";
import { routes } from "#server/routes";
import { Playground } from "./_parts/playground";

export const metadata: Metadata = { title: "Playground" };

const endpoints = expandAliases(routes).map(({ endpoint, path }) =>
  callableEndpointOf(endpoint, path),
);

export default async function PlaygroundPage({ searchParams }: PageProps) {
  await requireUser();
  const { context } = await portalContext();
  await (await prefetcher()).applications.names.fetch();
  return (
    <>
      <PageHeader
        title="Playground"
        lead="Run the real authorization code flow with PKCE in this browser, as one of your public applications. Then make any call and see its request, headers and response."
      />
      <noscript>
        <Alert tone="warn">The playground needs JavaScript.</Alert>
      </noscript>
      <ClientProviders>
        <Playground
          baseUrl={context.settings.baseUrl}
          wanted={await readParam(searchParams, "client_id")}
          endpoints={endpoints}
        />
      </ClientProviders>
    </>
  );
}
