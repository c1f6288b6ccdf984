import { Blocks } from "lucide-react";
import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import type { SearchParams } from "#app/_lib/search-params";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { Card } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { ConnectedApp, DoneAlert } from "./_parts/connected-app";

export const metadata: Metadata = { title: "Connected apps" };

/** Works without script. */
export default async function ConnectedApps({ searchParams }: { searchParams: SearchParams }) {
  await requireUser();
  const consents = await (await caller()).consents.list();
  return (
    <div className="grid max-w-content gap-6">
      <PageHeader
        title="Connected apps"
        lead="Applications that may see or do something in your name."
      />
      <DoneAlert searchParams={searchParams} />
      {consents.length === 0 && (
        <Card flush>
          <EmptyState
            icon={<Blocks />}
            title="No application is connected"
            action={<LinkButton href="/docs">How connecting works</LinkButton>}
          >
            When you approve an application, it appears here, and you can revoke it here.
          </EmptyState>
        </Card>
      )}
      {consents.map((consent) => (
        <ConnectedApp key={consent.consentId} consent={consent} />
      ))}
      {consents.length > 1 && (
        <Card tone="danger" title="Revoke all">
          <Confirmation
            label="Revoke all access"
            action="/account/apps/revoke"
            fields={{ all: "yes" }}
            consequences={`All ${consents.length} applications lose access on all devices at once.`}
          />
        </Card>
      )}
    </div>
  );
}
