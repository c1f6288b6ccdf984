"use client";

import { useRouter } from "next/navigation";
import type { FormEvent, ReactNode } from "react";
import { faultAt } from "#app/_lib/refusal";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { SecretOnce } from "#app/_ui/secret-once.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { endpointsPath } from "./endpoint-path";

type Props = {
  /** Null for the account's own endpoint. */
  clientId: string | null;
  /** Replaces the form at the limit of endpoints, but never replaces a new secret. */
  instead?: ReactNode;
  children?: ReactNode;
};

export function AddEndpointForm({ clientId, instead, children }: Props) {
  const page = endpointsPath(clientId);
  const router = useRouter();
  const add = trpc.webhooks.add.useMutation({ onSuccess: () => router.refresh() });
  const urlFault = faultAt(add.error, "url");
  const descriptionFault = faultAt(add.error, "description");

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    add.mutate({
      clientId,
      url: String(fields.get("url") ?? ""),
      description: String(fields.get("description") ?? ""),
      types: fields.getAll("type").map(String),
    });
  }

  if (add.data)
    return (
      <SecretOnce
        made
        title="Store this secret now. It is shown once."
        note="Your endpoint checks the signature of each event with it. Put it in place, then verify the endpoint."
        items={[{ label: "Webhook secret", value: add.data.secret }]}
      >
        <LinkButton href={`${page}/${add.data.endpointId}`} variant="primary">
          Verify the endpoint
        </LinkButton>
      </SecretOnce>
    );
  if (instead) return <>{instead}</>;
  return (
    <form onSubmit={submit} className="grid gap-5">
      <InputField
        name="url"
        label="URL"
        error={urlFault}
        hint="https, on port 443, at a public host name. Events are sent to it by POST."
        code
        inputMode="url"
        autoComplete="off"
        maxLength={2_000}
        placeholder="https://bot.example.com/adjutant"
      />
      <InputField
        name="description"
        label="Description"
        required={false}
        error={descriptionFault}
        hint="Only you see it, for example “Production bot”."
        autoComplete="off"
        maxLength={100}
      />
      {children}
      <RefusalAlert refused={urlFault || descriptionFault ? null : add.error} here={page} />
      <div>
        <Button type="submit" variant="primary" busy={add.isPending}>
          Add endpoint
        </Button>
      </div>
    </form>
  );
}
