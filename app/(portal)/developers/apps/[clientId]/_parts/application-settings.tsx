"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { type ProcedureError, refusedFields } from "#app/_lib/refusal";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { NameField } from "#app/(portal)/developers/_parts/application-fields.tsx";
import { useApplicationForm } from "#app/(portal)/developers/_parts/application-form";
import {
  changesIdentity,
  faultsOf,
  type TypedApplication,
} from "#app/(portal)/developers/_parts/typed-application";
import {
  isEdited,
  useUnsavedSettings,
} from "#app/(portal)/developers/apps/[clientId]/_parts/unsaved-settings";
import {
  AddressFields,
  type EmblemChoices,
  EmblemFields,
  PrivacyFields,
  ScopeFields,
} from "./settings-fields";

type Registered = TypedApplication & { readonly version: number; readonly verified: boolean };
type Props = { clientId: string; registered: Registered; emblems: EmblemChoices };

/** Optimistic lock: a save fails if another one happened, and the page is read again. */
export function ApplicationSettings({ clientId, registered, emblems }: Props) {
  const form = useApplicationForm(registered);
  const [base, setBase] = useState(registered);
  const router = useRouter();

  const update = trpc.applications.update.useMutation({
    onSuccess({ version }, input) {
      const saved = { ...base, ...input } as Registered;
      setBase({ ...saved, version, verified: base.verified && !changesIdentity(base, saved) });
      router.replace(`/developers/apps/${clientId}/settings?done=saved`);
      router.refresh();
    },
    onError: (refused: ProcedureError) => form.refuse(faultsOf(refusedFields(refused))),
  });
  const isOutdated = update.error?.data?.reason === "APPLICATION_CHANGED";

  const edited = isEdited(base, form.typed);
  useUnsavedSettings(clientId, { version: base.version, typed: form.typed, edited }, form.replace);

  function discard() {
    form.replace(base);
    update.reset();
  }

  /** The page remounts this form for the newer version. */
  function readAgain() {
    discard();
    router.refresh();
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    update.reset();
    const input = await form.input();
    if (input) update.mutate({ ...input, clientId, version: base.version });
  }

  const removed = base.scopes.filter((scope) => !form.typed.scopes.includes(scope));
  const isOpen = edited || update.isPending || update.isError;
  const unverifies = base.verified && changesIdentity(base, form.typed);
  return (
    <form
      ref={form.frame}
      onChange={form.onChange}
      onSubmit={save}
      noValidate
      className="grid gap-6"
    >
      {base.verified && (
        <Alert tone={unverifies ? "warn" : "neutral"} title="This application is verified">
          {unverifies
            ? "Saving removes the verification, because you changed what was verified. An admin can verify it again."
            : "Changing the name, an address, a redirect URI or a scope removes the verification until an admin verifies it again."}
        </Alert>
      )}
      <input type="hidden" name="kind" value={base.kind} />
      <Card title="Name and addresses">
        <div key={form.start.key} className="grid gap-5">
          <NameField form={form} />
          <EmblemFields form={form} choices={emblems} />
          <AddressFields form={form} />
        </div>
      </Card>
      <Card title="Scopes">
        <ScopeFields key={form.start.key} form={form} />
        {removed.length > 0 && (
          <p className="mt-3 text-sm text-warn">
            Saving removes {removed.join(", ")} at once, also from tokens already issued.
          </p>
        )}
      </Card>
      <Card
        title="Privacy"
        footer="Players who already approved are not asked again; the consent page shows the new text."
      >
        <div className="grid gap-5">
          <PrivacyFields key={form.start.key} form={form} />
        </div>
      </Card>
      {isOpen && (
        <div
          data-fixed-bar
          className="sticky bottom-0 z-10 grid max-h-[60dvh] gap-3 overflow-y-auto border border-line bg-surface px-4 py-3 max-sm:-mx-4 max-sm:border-x-0 sm:rounded-card sm:px-5"
        >
          <RefusalAlert refused={update.error} here={`/developers/apps/${clientId}/settings`} />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <span className="text-sm text-ink-soft">Unsaved changes</span>
            <span className="flex gap-3">
              <Button onClick={isOutdated ? readAgain : discard}>
                {isOutdated ? "Discard and read again" : "Discard"}
              </Button>
              {!isOutdated && (
                <Button type="submit" variant="primary" busy={update.isPending}>
                  Save settings
                </Button>
              )}
            </span>
          </div>
        </div>
      )}
    </form>
  );
}
