"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import { useAct } from "#lib/use-act";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import { Button } from "#ui/button";
import { Card } from "#ui/card";
import { useToast } from "#ui/toast";
import { AddressFields } from "../../../_parts/address-fields";
import type { ApplicationDraft } from "../../../_parts/application-draft";
import { NameField } from "../../../_parts/name-field";
import { PrivacyFields } from "../../../_parts/privacy-fields";
import { type Refused, readRefusal } from "../../../_parts/read-refusal";
import { RefusalAlert } from "../../../_parts/refusal-alert";
import { ScopeFields } from "../../../_parts/scope-fields";
import { useApplicationForm } from "../../../_parts/use-application-form";

type Props = { clientId: string; registered: ApplicationDraft };

/** Changes all that can be changed of an application. */
export function ApplicationSettings({ clientId, registered }: Props) {
  const form = useApplicationForm(registered);
  const update = useAct((portal, input: ApplicationInput) => portal.applications.update.mutate({ ...input, clientId }));
  const [refused, setRefused] = useState<Refused>();
  const frame = useRef<HTMLFormElement>(null);
  const toast = useToast();
  const router = useRouter();

  const showFirstFault = () =>
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());

  async function save(event: FormEvent) {
    event.preventDefault();
    setRefused(undefined);
    const input = await form.input();
    if (!input) return showFirstFault();
    try {
      await update.run(input);
      toast({ tone: "good", title: "Settings saved" });
      router.refresh();
    } catch (thrown) {
      const why = readRefusal(thrown);
      setRefused(why);
      form.refuse(why.fields);
      showFirstFault();
    }
  }

  const removed = registered.scopes.filter((scope) => !form.draft.scopes.includes(scope));
  return (
    <form ref={frame} onSubmit={save} noValidate className="grid gap-6">
      <Card title="Name and addresses">
        <div className="grid gap-5">
          <NameField form={form} />
          <AddressFields form={form} />
        </div>
      </Card>
      <Card title="Scopes">
        <ScopeFields form={form} />
        {removed.length > 0 && (
          <p className="mt-3 text-sm text-warn">
            Saving takes {removed.join(", ")} away at once, also from tokens already issued.
          </p>
        )}
      </Card>
      <Card
        title="Privacy"
        footer={
          <>
            <span>Players who approved already are not asked again; the consent page shows the new words.</span>
            <Button type="submit" variant="primary" busy={update.busy}>
              Save settings
            </Button>
          </>
        }
      >
        <div className="grid gap-5">
          <PrivacyFields form={form} />
          <RefusalAlert refused={refused} here={`/developers/apps/${clientId}/settings`} />
        </div>
      </Card>
    </form>
  );
}
