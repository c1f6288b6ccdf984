"use client";

import { type FormEvent, useState } from "react";
import { useAct } from "#app/_lib/use-act";
import { Button } from "#app/_ui/button.tsx";
import { Field } from "#app/_ui/field.tsx";
import { Input } from "#app/_ui/input.tsx";
import { Select } from "#app/_ui/select.tsx";
import { type Refused, readRefusal } from "#app/(portal)/developers/_parts/read-refusal";
import { type SecretLifetime, secretLifetimes } from "#server/oauth/clients/secrets/secret-state";

type Props = {
  clientId: string;
  onCreated: (name: string, secret: string) => void;
  onRefused: (refused: Refused) => void;
};

/** Creates a named secret. */
export function CreateSecret({ clientId, onCreated, onRefused }: Props) {
  const create = useAct((portal, wished: { name: string; livesDays: SecretLifetime | null }) =>
    portal.applications.createSecret.mutate({ clientId, ...wished }),
  );
  const [lifetime, setLifetime] = useState("");
  const [name, setName] = useState("");
  const [fault, setFault] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    setFault(undefined);
    try {
      const { secret } = await create.run({
        name,
        livesDays: secretLifetimes.find((days) => String(days) === lifetime) ?? null,
      });
      onCreated(name.trim(), secret);
      setName("");
    } catch (thrown) {
      const why = readRefusal(thrown);
      const ofName = why.fields.find(({ field }) => field === "name");
      if (ofName) setFault(ofName.message);
      else onRefused(why);
    }
  }

  return (
    <form onSubmit={submit} noValidate className="flex w-full flex-wrap items-end gap-3">
      <Field name="secret-name" label="Name of a new secret" error={fault} className="min-w-0 flex-1 basis-48">
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            placeholder="Production, spring"
            value={name}
            onChange={(event) => {
              setName(event.target.value);
              setFault(undefined);
            }}
          />
        )}
      </Field>
      <Field name="secret-lifetime" label="Expires" className="basis-40">
        {(control) => (
          <Select
            {...control}
            value={lifetime}
            onChange={(event) => setLifetime(event.target.value)}
            options={[
              { value: "", label: "Never" },
              ...secretLifetimes.map((days) => ({ value: String(days), label: `After ${days} days` })),
            ]}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={create.busy}>
        Create secret
      </Button>
    </form>
  );
}
