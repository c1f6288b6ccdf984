"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { visibleText } from "#app/_lib/format";
import { type ProcedureError, refusedFields } from "#app/_lib/refusal";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { useToast } from "#app/_ui/toast.tsx";
import {
  AddressFields,
  NameField,
  PrivacyFields,
  ScopeFields,
} from "#app/(portal)/developers/_parts/application-fields.tsx";
import { useApplicationForm } from "#app/(portal)/developers/_parts/application-form";
import {
  changesIdentity,
  faultsOf,
  type TypedApplication,
} from "#app/(portal)/developers/_parts/typed-application";
import {
  mergeEdits,
  type SavedElsewhere,
  useUnsavedSettings,
} from "#app/(portal)/developers/apps/[clientId]/_parts/unsaved-settings";

type Registered = TypedApplication & { readonly version: number; readonly verified: boolean };
type Props = { clientId: string; registered: Registered };

/** Optimistic lock: a save fails if another one happened. */
export function ApplicationSettings({ clientId, registered }: Props) {
  const form = useApplicationForm(registered);
  const [base, setBase] = useState(registered);
  const [elsewhere, setElsewhere] = useState<readonly SavedElsewhere[]>();
  const toast = useToast();
  const router = useRouter();
  const utils = trpc.useUtils();

  const update = trpc.applications.update.useMutation({
    onSuccess({ version }, input) {
      const saved = { ...base, ...input } as Registered;
      setBase({ ...saved, version, verified: base.verified && !changesIdentity(base, saved) });
      toast({ tone: "good", title: "Settings saved" });
      router.refresh();
    },
    onError(refused: ProcedureError) {
      if (refused.data?.reason === "APPLICATION_CHANGED") takeOver.mutate();
      else form.refuse(faultsOf(refusedFields(refused)));
    },
  });

  /** Loads the fields saved meanwhile as the new base. */
  const takeOver = useMutation<Registered, ProcedureError>({
    mutationFn: () => utils.applications.get.fetch({ clientId }, { staleTime: 0 }),
    onSuccess(saved) {
      const { merged, changes } = mergeEdits(base, form.typed, saved);
      setBase(saved);
      form.replace(merged);
      setElsewhere(changes);
      update.reset();
      window.scrollTo({ top: 0 });
      router.refresh();
    },
  });

  const edited = useUnsavedSettings(clientId, { base, typed: form.typed }, (kept) => {
    const { merged, changes } = mergeEdits(kept.base, kept.typed, registered);
    form.replace(merged);
    if (changes.length > 0) setElsewhere(changes);
  });

  function discard() {
    form.replace(base);
    setElsewhere(undefined);
    update.reset();
    takeOver.reset();
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    setElsewhere(undefined);
    update.reset();
    takeOver.reset();
    const input = await form.input();
    if (input) update.mutate({ ...input, clientId, version: base.version });
  }

  const removed = base.scopes.filter((scope) => !form.typed.scopes.includes(scope));
  const isBusy = update.isPending || takeOver.isPending;
  const isOpen = edited || isBusy || update.isError || takeOver.isError;
  const unverifies = base.verified && changesIdentity(base, form.typed);
  return (
    <form
      ref={form.frame}
      onChange={form.onChange}
      onSubmit={save}
      noValidate
      className="grid gap-6"
    >
      <SavedElsewhereAlert changes={elsewhere} />
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
          {!takeOver.isPending && (
            <RefusalAlert
              refused={takeOver.error ?? update.error}
              here={`/developers/apps/${clientId}/settings`}
            />
          )}
          <div className="flex flex-wrap items-center justify-between gap-3">
            <span className="text-sm text-ink-soft">Unsaved changes</span>
            <span className="flex gap-3">
              <Button onClick={discard}>Discard</Button>
              <Button type="submit" variant="primary" busy={isBusy}>
                Save settings
              </Button>
            </span>
          </div>
        </div>
      )}
    </form>
  );
}

function SavedElsewhereAlert({ changes }: { changes: readonly SavedElsewhere[] | undefined }) {
  if (!changes) return null;
  return (
    <Alert tone="warn" title="This application changed while you were editing it" live>
      <p>
        Nothing was saved. Your input is kept, and all other fields show the current values. Check
        them, then save again.
      </p>
      {changes.length > 0 && (
        <ul className="mt-2 grid gap-1">
          {changes.map(({ label, now, keptHere }) => (
            <li key={label}>
              <strong className="font-medium">{label}</strong>:{" "}
              {now === "" ? "now empty" : <>now {now.split("\n").map(visibleText).join(", ")}</>}
              {keptHere && " · you changed this too; see below"}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
