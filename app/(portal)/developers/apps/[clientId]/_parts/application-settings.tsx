"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import { useAct } from "#app/_lib/use-act";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { useToast } from "#app/_ui/toast.tsx";
import { AddressFields } from "#app/(portal)/developers/_parts/address-fields.tsx";
import { type ApplicationDraft, changesIdentity, draftOf } from "#app/(portal)/developers/_parts/application-draft";
import { mergeDrafts, type SavedElsewhere } from "#app/(portal)/developers/_parts/merge-drafts";
import { NameField } from "#app/(portal)/developers/_parts/name-field.tsx";
import { PrivacyFields } from "#app/(portal)/developers/_parts/privacy-fields.tsx";
import { type Refused, readRefusal } from "#app/(portal)/developers/_parts/read-refusal";
import { RefusalAlert } from "#app/(portal)/developers/_parts/refusal-alert.tsx";
import { ScopeFields } from "#app/(portal)/developers/_parts/scope-fields.tsx";
import { useApplicationForm } from "#app/(portal)/developers/_parts/use-application-form";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import { SavedElsewhereAlert } from "./saved-elsewhere";

/** What a form began with. */
type Registered = { draft: ApplicationDraft; version: number; verified: boolean };
type Props = { clientId: string; registered: Registered };

/** Changes all that can be changed of an application, if nobody else has changed it since. */
export function ApplicationSettings({ clientId, registered }: Props) {
  const form = useApplicationForm(registered.draft);
  const [base, setBase] = useState(registered);
  const update = useAct((portal, input: ApplicationInput) =>
    portal.applications.update.mutate({ ...input, clientId, version: base.version }),
  );
  const current = useAct((portal) => portal.applications.get.query({ clientId }));
  const [refused, setRefused] = useState<Refused>();
  const [elsewhere, setElsewhere] = useState<readonly SavedElsewhere[]>();
  const frame = useRef<HTMLFormElement>(null);
  const toast = useToast();
  const router = useRouter();

  const showFirstFault = () =>
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());

  async function save(event: FormEvent) {
    event.preventDefault();
    setRefused(undefined);
    setElsewhere(undefined);
    const input = await form.input();
    if (!input) return showFirstFault();
    try {
      const { version } = await update.run(input);
      const draft = draftOf(input);
      setBase({ draft, version, verified: base.verified && !changesIdentity(base.draft, draft) });
      toast({ tone: "good", title: "Settings saved" });
      router.refresh();
    } catch (thrown) {
      const why = readRefusal(thrown);
      if (why.outdated) return takeOver().catch((failed: unknown) => setRefused(readRefusal(failed)));
      setRefused(why);
      form.refuse(why.fields);
      showFirstFault();
    }
  }

  /** Shows what was saved meanwhile; the next save is an edit of that. */
  async function takeOver() {
    const saved = await current.run(undefined);
    const { draft, changes } = mergeDrafts(base.draft, form.draft, draftOf(saved));
    setBase({ draft: draftOf(saved), version: saved.version, verified: saved.verified });
    form.replace(draft);
    setElsewhere(changes);
    window.scrollTo({ top: 0 });
    router.refresh();
  }

  const removed = base.draft.scopes.filter((scope) => !form.draft.scopes.includes(scope));
  const unverifies = base.verified && changesIdentity(base.draft, form.draft);
  return (
    <form ref={frame} onSubmit={save} noValidate className="grid gap-6">
      <SavedElsewhereAlert changes={elsewhere} />
      {base.verified && (
        <Alert tone={unverifies ? "warn" : "neutral"} title="This application is verified">
          {unverifies
            ? "Saving removes the verification, because you changed what was verified. An admin can verify it again."
            : "Changing the name, an address, a redirect URI or a scope removes the verification until an admin verifies it again."}
        </Alert>
      )}
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
            Saving removes {removed.join(", ")} at once, also from tokens already issued.
          </p>
        )}
      </Card>
      <Card
        title="Privacy"
        footer={
          <>
            <span>Players who already approved are not asked again; the consent page shows the new text.</span>
            <Button type="submit" variant="primary" busy={update.busy || current.busy}>
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
