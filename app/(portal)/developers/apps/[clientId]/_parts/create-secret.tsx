"use client";

import { type FormEvent, useState } from "react";
import { useAct } from "#lib/use-act";
import { Button } from "#ui/button";
import { Field } from "#ui/field";
import { Input } from "#ui/input";
import { type Refused, readRefusal } from "../../../_parts/read-refusal";

type Props = {
  clientId: string;
  onCreated: (name: string, secret: string) => void;
  onRefused: (refused: Refused) => void;
};

/** Creates a named secret. */
export function CreateSecret({ clientId, onCreated, onRefused }: Props) {
  const create = useAct((portal, called: string) =>
    portal.applications.createSecret.mutate({ clientId, name: called }),
  );
  const [name, setName] = useState("");
  const [fault, setFault] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    setFault(undefined);
    try {
      const { secret } = await create.run(name);
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
      <Button type="submit" variant="primary" busy={create.busy}>
        Create secret
      </Button>
    </form>
  );
}
