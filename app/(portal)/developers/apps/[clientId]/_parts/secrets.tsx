"use client";

import { KeyRound } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAct } from "#app/_lib/use-act";
import { Card } from "#app/_ui/card.tsx";
import { ConfirmDialog } from "#app/_ui/confirm-dialog.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/empty-state.tsx";
import { SecretOnce } from "#app/_ui/secret-once.tsx";
import { Status } from "#app/_ui/status.tsx";
import { Time } from "#app/_ui/time.tsx";
import { useToast } from "#app/_ui/toast.tsx";
import type { Tone } from "#app/_ui/tone.tsx";
import { RefusalAlert } from "#app/(portal)/developers/_parts/refusal-alert.tsx";
import { useConfirmedAct } from "#app/(portal)/developers/_parts/use-confirmed-act";
import type { ApplicationView } from "#server/oauth/clients/own-applications";
import type { SecretState } from "#server/oauth/clients/secrets/secret-state";
import { CreateSecret } from "./create-secret";

/** Two may live at a time: the new one is put in place while the old one still works. */
const mostSecrets = 2;

const consequences = ["Requests that still use it are refused at once", "Tokens already issued keep working"];
const noneLeft = "It is the only secret: without one the application cannot exchange codes";

type Props = {
  clientId: string;
  secrets: ApplicationView["secrets"];
};

/** The secrets of an application, without their values; a new one is shown once, here. */
export function Secrets({ clientId, secrets }: Props) {
  const remove = useAct((portal, secret: { secretId: string; isOnly: boolean }) =>
    portal.applications.deleteSecret.mutate({ clientId, ...secret }),
  );
  const [created, setCreated] = useState<{ name: string; secret: string }>();
  const { refused, setRefused, confirm } = useConfirmedAct();
  const toast = useToast();
  const router = useRouter();

  const deleteSecret = ({ id, name, standing }: Props["secrets"][number]) =>
    confirm(async () => {
      // Also after a refusal: another tab may have deleted the other secret.
      await remove.run({ secretId: id, isOnly: standing === "only" }).finally(() => router.refresh());
      toast({ tone: "good", title: `Secret “${name}” is deleted` });
    });

  const live = secrets.filter(({ standing }) => standing !== "expired");

  function show(name: string, secret: string) {
    setRefused(undefined);
    setCreated({ name, secret });
    router.refresh();
  }

  return (
    <div className="grid gap-6">
      {created && (
        <SecretOnce
          title={`Store “${created.name}” now: it is shown once.`}
          note="We only store a hash."
          items={[{ label: "Client secret", value: created.secret }]}
        />
      )}
      <RefusalAlert refused={refused} here={`/developers/apps/${clientId}/credentials`} />
      <Card
        title="Secrets"
        description="You can have two at a time. To replace one without downtime: create the second, deploy it, then delete the first."
        flush
        footer={
          live.length >= mostSecrets ? (
            <span>You already have two secrets. Delete one to create another.</span>
          ) : (
            <CreateSecret clientId={clientId} onCreated={show} onRefused={setRefused} />
          )
        }
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
              key: "name",
              header: "Name",
              primary: true,
              cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
            },
            { key: "created", header: "Created", nowrap: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
            {
              key: "used",
              header: "Last used",
              nowrap: true,
              cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : "Never"),
            },
            {
              key: "ends",
              header: "Ends",
              nowrap: true,
              cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : "Never"),
            },
            {
              key: "safe",
              header: "Safe to delete?",
              nowrap: true,
              cell: ({ standing }) => <SafeToDelete standing={standing} />,
            },
            {
              key: "delete",
              header: "Delete",
              actions: true,
              cell: (secret) => (
                <ConfirmDialog
                  label="Delete"
                  variant="secondary"
                  size="sm"
                  title={`Delete the secret “${secret.name}”?`}
                  consequences={secret.standing === "only" ? [...consequences, noneLeft] : consequences}
                  onConfirm={() => deleteSecret(secret)}
                />
              ),
            },
          ]}
        />
      </Card>
    </div>
  );
}

/** The light: green where nothing will miss the secret. */
const lights: Readonly<Record<SecretState, readonly [Tone, string]>> = {
  expired: ["good", "Yes, it has expired"],
  replaced: ["good", "Yes, the other one is in use"],
  unused: ["neutral", "Not used yet"],
  resting: ["warn", "Soon: the other one is in use"],
  "in-use": ["warn", "No, it is in use"],
  only: ["warn", "No, it is the only one"],
};

function SafeToDelete({ standing }: { standing: SecretState }) {
  const [tone, words] = lights[standing];
  return <Status tone={tone}>{words}</Status>;
}
