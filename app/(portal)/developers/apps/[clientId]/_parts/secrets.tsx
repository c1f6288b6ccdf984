"use client";

import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { forDialog, type ProcedureError } from "#app/_lib/refusal";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Status, type Tone } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { ConfirmDialog } from "#app/_ui/confirm-dialog.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { Field, Input, Select } from "#app/_ui/field.tsx";
import { SecretOnce } from "#app/_ui/secret-once.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { Time } from "#app/_ui/time.tsx";
import { useToast } from "#app/_ui/toast.tsx";
import { type SecretState, secretLifetimes } from "#server/oauth/clients/secrets/secret-state";

/** Two, so that a secret can be rotated while the old one works. */
const mostSecrets = 2;

const consequences = [
  "Requests that still use it are refused at once",
  "Tokens already issued keep working",
];
const noneLeft = "It is the only secret: without one the application cannot exchange codes";

/** A new secret is shown here once. */
export function Secrets({ clientId }: { clientId: string }) {
  const [{ secrets }] = trpc.applications.get.useSuspenseQuery({ clientId });
  const utils = trpc.useUtils();
  // Also after a refusal, as another tab may have changed the list.
  const onSettled = () => void utils.applications.get.invalidate({ clientId });
  const [created, setCreated] = useState<{ name: string; secret: string }>();
  const create = trpc.applications.createSecret.useMutation({
    onSettled,
    onSuccess({ secret }, { name }) {
      setCreated({ name: name.trim(), secret });
      remove.reset();
    },
  });
  const remove = trpc.applications.deleteSecret.useMutation({ onSettled });
  const toast = useToast();

  const deleteSecret = ({ id, name, state }: (typeof secrets)[number]) =>
    forDialog(
      remove
        .mutateAsync({ clientId, secretId: id, isOnly: state === "only" })
        .then(() => toast({ tone: "good", title: `Secret “${name}” is deleted` })),
    );

  const live = secrets.filter(({ state }) => state !== "expired");
  const here = `/developers/apps/${clientId}/credentials`;

  return (
    <div className="grid gap-6">
      {created && (
        <SecretOnce
          key={created.secret}
          made
          title={`Store “${created.name}” now: it is shown once.`}
          note="We only store a hash."
          items={[{ label: "Client secret", value: created.secret }]}
        />
      )}
      <RefusalAlert refused={nameFault(create.error) ? null : create.error} here={here} />
      <RefusalAlert refused={remove.error} here={here} proofOnly />
      <Card
        title="Secrets"
        description="You can have two at a time. To replace one without downtime: create the second, deploy it, then delete the first."
        flush
        footer={
          live.length >= mostSecrets ? (
            <span>You already have two secrets. Delete one to create another.</span>
          ) : (
            <CreateSecret clientId={clientId} create={create} />
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
            {
              key: "created",
              header: "Created",
              nowrap: true,
              cell: ({ createdAt }) => <Time at={createdAt} />,
            },
            {
              key: "used",
              header: "Last used",
              nowrap: true,
              cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : "Never"),
            },
            {
              key: "ends",
              header: "Expires",
              nowrap: true,
              cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : "Never"),
            },
            {
              key: "safe",
              header: "Safe to delete?",
              nowrap: true,
              cell: ({ state }) => <SafeToDelete state={state} />,
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
                  consequences={
                    secret.state === "only" ? [...consequences, noneLeft] : consequences
                  }
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

const nameFault = (refused: ProcedureError | null) =>
  refused?.data?.fields?.find(({ field }) => field === "name")?.message;

type CreateProps = {
  clientId: string;
  create: ReturnType<typeof trpc.applications.createSecret.useMutation>;
};

function CreateSecret({ clientId, create }: CreateProps) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const livesDays =
      secretLifetimes.find((days) => String(days) === fields.get("secret-lifetime")) ?? null;
    create.mutate(
      { clientId, name: String(fields.get("secret-name")), livesDays },
      { onSuccess: () => form.reset() },
    );
  }

  return (
    <form onSubmit={submit} noValidate className="flex w-full flex-wrap items-end gap-3">
      <Field
        name="secret-name"
        label="Name of a new secret"
        error={nameFault(create.error)}
        className="min-w-0 flex-1 basis-48"
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            placeholder="Production, spring"
            onChange={() => create.isError && create.reset()}
          />
        )}
      </Field>
      <Field name="secret-lifetime" label="Expires" className="basis-40">
        {(control) => (
          <Select
            {...control}
            options={[
              { value: "", label: "Never" },
              ...secretLifetimes.map((days) => ({
                value: String(days),
                label: `After ${days} days`,
              })),
            ]}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={create.isPending}>
        Create secret
      </Button>
    </form>
  );
}

/** Green once no process needs the secret any more. */
const lights: Readonly<Record<SecretState, readonly [Tone, string]>> = {
  expired: ["good", "Yes, it has expired"],
  replaced: ["good", "Yes, the other one is in use"],
  unused: ["neutral", "Not used yet"],
  resting: ["warn", "Soon: the other one is in use"],
  "in-use": ["warn", "No, it is in use"],
  only: ["warn", "No, it is the only one"],
};

function SafeToDelete({ state }: { state: SecretState }) {
  const [tone, words] = lights[state];
  return <Status tone={tone}>{words}</Status>;
}
