import { KeyRound } from "lucide-react";
import { applicationMetadata, requireApplication } from "#app/_lib/current-user";
import type { PageProps } from "#app/_lib/search-params";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { ClientProviders } from "#app/_parts/interactive.tsx";
import { Status, type Tone } from "#app/_ui/badge.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { mostSecrets, type SecretState } from "#server/oauth/clients/secrets/secret-state";
import { SecretsCard } from "../_parts/secrets";

export const generateMetadata = applicationMetadata("Credentials of");

const done = { deleted: "The secret is deleted." };
const wrong = {
  only: "This is now the only secret. Press Delete again to delete it as well.",
};

const cut = [
  "Requests that still use it are refused at once",
  "Tokens already issued keep working",
];
const noneLeft = "It is the only secret: without one the application cannot exchange codes";

/** "good" if no process needs the secret any more. */
const lights: Readonly<Record<SecretState, readonly [Tone, string]>> = {
  expired: ["good", "Yes, it has expired"],
  replaced: ["good", "Yes, the other one is in use"],
  unused: ["neutral", "Not used yet"],
  resting: ["warn", "Soon: the other one is in use"],
  "in-use": ["warn", "No, it is in use"],
  only: ["warn", "No, it is the only one"],
};

export default async function Credentials({ params, searchParams }: PageProps<"clientId">) {
  const { clientId, kind, secrets } = await requireApplication(await params, "secrets");
  return (
    <>
      <h2 className="sr-only">Credentials</h2>
      <FormNotice searchParams={searchParams} done={done} wrong={wrong} />
      <Card title="Client ID" description="Identifies your application; safe to publish.">
        <KeyValueList
          items={[
            { label: "Client ID", copy: clientId },
            {
              label: "Client authentication",
              value:
                kind === "public" ? (
                  <>
                    <code className="text-sm">none</code>, always with PKCE
                  </>
                ) : (
                  <code className="text-sm">client_secret_basic</code>
                ),
            },
          ]}
        />
      </Card>
      {kind === "confidential" && (
        <ClientProviders>
          <SecretsCard
            clientId={clientId}
            isFull={secrets.filter(({ state }) => state !== "expired").length >= mostSecrets}
          >
            <DataTable
              caption="Secrets"
              rows={secrets}
              rowKey={(secret) => secret.id}
              empty={
                <EmptyState icon={<KeyRound />} title="No secret">
                  Without a secret the application cannot exchange codes.
                </EmptyState>
              }
              columns={[
                {
                  header: "Name",
                  primary: true,
                  cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
                },
                { header: "Created", at: ({ createdAt }) => createdAt },
                { header: "Last used", at: ({ lastUsedAt }) => lastUsedAt },
                { header: "Expires", at: ({ expiresAt }) => expiresAt },
                {
                  header: "Safe to delete?",
                  nowrap: true,
                  cell: ({ state }) => <Status tone={lights[state][0]}>{lights[state][1]}</Status>,
                },
                {
                  header: "Delete",
                  actions: true,
                  cell: ({ id, name, state }) => (
                    <ConfirmButton
                      label="Delete"
                      what={`the secret “${name}”`}
                      confirm="Delete"
                      consequences={state === "only" ? [...cut, noneLeft] : cut}
                      action={`/developers/apps/${clientId}/credentials/delete`}
                      fields={{ secret_id: id, is_only: state === "only" ? "yes" : undefined }}
                    />
                  ),
                },
              ]}
            />
          </SecretsCard>
        </ClientProviders>
      )}
    </>
  );
}
