import type { Metadata } from "next";
import { Suspense } from "react";
import { caller, portalContext } from "#app/_lib/caller";
import { requireApplication } from "#app/_lib/current-user";
import { escapeInvisible, formatCappedCount } from "#app/_lib/format";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { ConnectSamples } from "#app/_parts/client-snippets.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { ContactLink, StoredLink } from "#app/_parts/external-links.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { Skeleton } from "#app/_ui/progress.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { type ApplicationRight, mayDo } from "#server/oauth/clients/team/rights";
import { trafficRanges } from "#server/oauth/clients/traffic/traffic";
import { firstRedirectUri } from "#server/oauth/redirect-uri";
import { ApplicationHealth } from "../../_parts/applications-table";
import { firstRunCardOf, InTestNotice } from "./_parts/next-steps";
import { FunnelCard, TrafficCard } from "./_parts/traffic";
import { EndpointStatus } from "./webhooks/_parts/endpoint-status";

export async function generateMetadata({ params }: PageProps<"clientId">): Promise<Metadata> {
  return { title: (await requireApplication(await params)).name };
}

export default async function ApplicationOverview({ params, searchParams }: PageProps<"clientId">) {
  const asked = await readParam(searchParams, "range");
  const range = trafficRanges.find((known) => known === asked) ?? "24h";
  const application = await requireApplication(await params);
  const { context } = await portalContext();
  const {
    clientId,
    kind,
    figures,
    redirectUris,
    hostedCallback,
    scopes,
    clientUri,
    createdAt,
    updatedAt,
    role,
  } = application;
  const may = (right: ApplicationRight) => mayDo(role, right);
  const firstRun = may("secrets") && (await firstRunCardOf(application, context.now()));
  const connect = may("tokens") && (
    <ConnectSamples
      baseUrl={context.settings.baseUrl}
      clientId={clientId}
      kind={kind}
      redirectUri={firstRedirectUri(context.settings.baseUrl, application)}
      scopes={scopes}
    >
      <OwnToken clientId={clientId} scopes={scopes} />
    </ConnectSamples>
  );
  return (
    <>
      {application.suspended && (
        <Alert tone="bad" title="This application is suspended">
          Its tokens don't work, and nobody can approve it.
          {application.suspendedFor && <> The reason given: “{application.suspendedFor}”</>} Contact
          the operator of this service.
          <ContactLink />
        </Alert>
      )}
      <FormNotice
        searchParams={searchParams}
        done={{ opened: "Open to players. Any player can approve it now." }}
        wrong={{ incomplete: "Not opened: something that players are told is missing." }}
      />
      {may("settings") && <InTestNotice application={application} withLink />}
      {firstRun && (
        <>
          {firstRun}
          {connect}
        </>
      )}
      <Suspense key={range} fallback={<Skeleton className="h-96 w-full" />}>
        <TrafficCard clientId={clientId} range={range} withRequests={may("requests")} />
      </Suspense>
      <Suspense key={`funnel ${range}`} fallback={<Skeleton className="h-64 w-full" />}>
        <FunnelCard clientId={clientId} range={range} />
      </Suspense>
      <Card title="Application" actions={<ApplicationHealth application={application} />}>
        <KeyValueList
          items={[
            {
              label: "Client ID",
              copy: clientId,
            },
            {
              label: "Home page",
              value: <StoredLink href={clientUri}>{clientUri}</StoredLink>,
              wide: true,
            },
            ...redirectUris.map((uri, index) => ({
              label: redirectUris.length > 1 ? `Redirect URI ${index + 1}` : "Redirect URI",
              value: <code className="text-sm">{escapeInvisible(uri)}</code>,
              copy: uri,
            })),
            {
              label: "Hosted callback",
              value: (
                <>
                  <code className="text-sm">{hostedCallback}</code>
                  <p className="text-sm text-ink-faint">
                    {kind === "confidential" && "For its developers alone. "}
                    <TextLink href="/docs/oauth#localhost">
                      It hands the code on to localhost.
                    </TextLink>
                  </p>
                </>
              ),
              copy: hostedCallback,
            },
            {
              label: "Scopes",
              wide: true,
              value:
                scopes.length === 0 ? (
                  <span className="text-ink-faint">
                    None: it can call endpoints that need no scope.
                  </span>
                ) : (
                  <code className="text-sm">{scopes.join(" ")}</code>
                ),
            },
            ...(may("webhooks")
              ? [{ label: "Webhooks", wide: true, value: <WebhookLights clientId={clientId} /> }]
              : []),
            {
              label: "Players",
              value: `${formatCappedCount(figures.users, "player")}, ${formatCappedCount(figures.tokens, "live token")}`,
            },
            { label: "Registered", value: <Time at={createdAt} /> },
            { label: "Changed", value: <Time at={updatedAt} /> },
          ]}
        />
      </Card>
      {!firstRun && connect}
    </>
  );
}

const OwnToken = ({ clientId, scopes }: { clientId: string; scopes: readonly string[] }) => (
  <CsrfForm
    action={`/developers/apps/${clientId}/token`}
    className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-sm text-ink-soft"
  >
    <p className="min-w-0 flex-1 basis-80">
      Or take a token for your own account: this approves the application for you alone, with{" "}
      {scopes.length === 0 ? "no scope" : scopes.join(", ")}, and shows a curl command with the
      token.
    </p>
    <Button type="submit" size="sm">
      Get a token
    </Button>
  </CsrfForm>
);

async function WebhookLights({ clientId }: { clientId: string }) {
  const endpoints = await (await caller()).webhooks.list({ clientId });
  const page = `/developers/apps/${clientId}/webhooks`;
  if (endpoints.length === 0) return <TextLink href={page}>Add a webhook endpoint</TextLink>;
  return (
    <ul className="grid gap-1">
      {endpoints.map((endpoint) => (
        <li key={endpoint.endpointId} className="flex flex-wrap items-baseline gap-x-3">
          <TextLink href={`${page}/${endpoint.endpointId}`} className="wrap-anywhere">
            {endpoint.description || endpoint.url}
          </TextLink>
          <EndpointStatus endpoint={endpoint} />
        </li>
      ))}
    </ul>
  );
}
