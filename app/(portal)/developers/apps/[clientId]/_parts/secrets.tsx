"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useState } from "react";
import { faultAt } from "#app/_lib/refusal";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField, SelectField } from "#app/_ui/field.tsx";
import { SecretOnce } from "#app/_ui/secret-once.tsx";
import { secretLifetimes } from "#server/oauth/clients/secrets/secret-state";

type Props = {
  clientId: string;
  /** True at the limit of two secrets. */
  isFull: boolean;
  children: ReactNode;
};

export function SecretsCard({ clientId, isFull, children }: Props) {
  const router = useRouter();
  const [created, setCreated] = useState<{ name: string; secret: string }>();
  const create = trpc.applications.createSecret.useMutation({
    onSettled(_, refused) {
      // A refusal refreshes too, because another tab may have changed the list. Without a
      // connection, a refresh would leave the page.
      if (!refused || refused.data) router.refresh();
    },
    onSuccess: ({ secret }, { name }) => setCreated({ name: name.trim(), secret }),
  });
  const nameFault = faultAt(create.error, "name");

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
    <>
      {created && (
        <SecretOnce
          key={created.secret}
          made
          title={`Store “${created.name}” now: it is shown once.`}
          note="We only store a hash."
          items={[{ label: "Client secret", value: created.secret }]}
        />
      )}
      <RefusalAlert
        refused={nameFault ? null : create.error}
        here={`/developers/apps/${clientId}/credentials`}
      />
      <Card
        title="Secrets"
        description="You can have two at a time. To replace one without downtime: create the second, deploy it, then delete the first."
        flush
        footer={
          isFull ? (
            <span>You already have two secrets. Delete one to create another.</span>
          ) : (
            <form onSubmit={submit} noValidate className="flex w-full flex-wrap items-end gap-3">
              <InputField
                name="secret-name"
                label="Name of a new secret"
                error={nameFault}
                className="min-w-0 flex-1 basis-48"
                autoComplete="off"
                placeholder="Production, spring"
                onChange={() => create.isError && create.reset()}
              />
              <SelectField
                name="secret-lifetime"
                label="Expires"
                className="basis-40"
                options={[
                  { value: "", label: "Never" },
                  ...secretLifetimes.map((days) => ({
                    value: String(days),
                    label: `After ${days} days`,
                  })),
                ]}
              />
              <Button type="submit" variant="primary" busy={create.isPending}>
                Create secret
              </Button>
            </form>
          )
        }
      >
        {children}
      </Card>
    </>
  );
}
