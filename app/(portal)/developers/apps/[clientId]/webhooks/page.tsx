import { Webhook } from "lucide-react";
import { caller } from "#app/_lib/caller";
import { applicationMetadata, requireApplication } from "#app/_lib/current-user";
import { formatNumber } from "#app/_lib/format";
import type { PageProps } from "#app/_lib/search-params";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { ClientProviders } from "#app/_parts/interactive.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { mostEndpoints } from "#server/webhooks/endpoint-acts";
import { AddEndpointForm } from "./_parts/add-endpoint";
import { EndpointStatus } from "./_parts/endpoint-status";
import { EventTypesField } from "./_parts/event-choice";

export const generateMetadata = applicationMetadata("Webhooks of");

export default async function Webhooks({ params, searchParams }: PageProps<"clientId">) {
  const { clientId, scopes } = await requireApplication(await params, "webhooks");
  const endpoints = await (await caller()).webhooks.list({ clientId });
  const page = `/developers/apps/${clientId}/webhooks`;
  return (
    <>
      <FormNotice
        searchParams={searchParams}
        done={{ remove: "The endpoint is removed. Nothing more is sent to it." }}
        refused="Nothing was changed"
      />
      <TableCard
        title="Webhook endpoints"
        description="Adjutant sends events to these URLs as they happen, signed, and tries again where that fails."
        rows={endpoints}
        rowKey={({ endpointId }) => endpointId}
        empty={
          <EmptyState icon={<Webhook />} title="No endpoint yet">
            Add the URL of your server below. Your bot then gets each event within seconds, without
            polling.
          </EmptyState>
        }
        columns={[
          {
            header: "Endpoint",
            primary: true,
            cell: ({ endpointId, url, description }) => (
              <span className="grid gap-0.5">
                <TextLink href={`${page}/${endpointId}`} className="font-medium wrap-anywhere">
                  {description || url}
                </TextLink>
                {description && <code className="text-xs wrap-anywhere text-ink-faint">{url}</code>}
              </span>
            ),
          },
          {
            header: "State",
            unlabelled: true,
            nowrap: true,
            cell: (endpoint) => <EndpointStatus endpoint={endpoint} />,
          },
          { header: "Last success", at: ({ lastSuccessAt }) => lastSuccessAt },
          {
            header: "Waiting",
            numeric: true,
            cell: ({ waiting }) => formatNumber(waiting),
          },
        ]}
      />
      <Card
        title="Add an endpoint"
        description="Nothing is sent before you verify it: the next page shows how."
      >
        <ClientProviders>
          <AddEndpointForm
            clientId={clientId}
            instead={
              endpoints.length >= mostEndpoints &&
              `An application can have ${mostEndpoints} endpoints. Remove one to add another.`
            }
          >
            <EventTypesField clientId={clientId} scopes={scopes} />
          </AddEndpointForm>
        </ClientProviders>
      </Card>
    </>
  );
}
