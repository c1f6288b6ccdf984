"use client";

import { type ComponentProps, type FormEvent, type ReactNode, useState } from "react";
import { makePasskey } from "#app/_lib/passkeys";
import { forDialog, type ProcedureError } from "#app/_lib/refusal";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { ConfirmDialog } from "#app/_ui/confirm-dialog.tsx";
import { Field, Input } from "#app/_ui/field.tsx";
import { Time } from "#app/_ui/time.tsx";
import { useToast } from "#app/_ui/toast.tsx";
import { Added, here } from "./set-up";

export function Passkeys() {
  const [{ offered, passkeys, most }] = trpc.passkeys.show.useSuspenseQuery();
  const utils = trpc.useUtils();
  const onSettled = () => void utils.passkeys.show.invalidate();
  const remove = trpc.passkeys.remove.useMutation({ onSettled });
  const trust = trpc.passkeys.trust.useMutation({ onSettled });
  const toast = useToast();

  const confirm = ({ id, name }: Passkey) =>
    forDialog(
      trust
        .mutateAsync({ id })
        .then(() => toast({ tone: "good", title: `The passkey “${name}” is trusted` })),
    );
  const take = ({ id, name }: Passkey) =>
    forDialog(
      remove.mutateAsync({ id }).then(({ sessionsEnded }) =>
        toast({
          tone: "good",
          title: `The passkey “${name}” is removed`,
          ...(sessionsEnded > 0 && { description: "You were signed out of your other browsers." }),
        }),
      ),
    );

  return (
    <Card
      title="Passkeys"
      description="Your phone, computer or security key signs you in: no key to paste, no code to type."
      flush={passkeys.length > 0}
      footer={
        !offered ? undefined : passkeys.length >= most ? (
          <span>You have {most} passkeys. Remove one to add another.</span>
        ) : (
          <AddPasskey />
        )
      }
    >
      <RefusalAlert
        refused={trust.error ?? remove.error}
        here={here}
        proofOnly
        className="p-4 sm:px-5"
      />
      {passkeys.length > 0 ? (
        <ul className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <li
              key={passkey.id}
              className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 sm:px-5"
            >
              <Named passkey={passkey}>
                {passkey.wantsCode && (
                  <ConfirmDialog
                    label="Trust"
                    variant="secondary"
                    size="sm"
                    title={`Trust the passkey “${passkey.name}”?`}
                    description={
                      <>
                        <Added {...passkey} />. Trust it only if you added it yourself.
                      </>
                    }
                    consequences={[
                      "It signs in without a code from your app",
                      "It confirms changes to your account",
                    ]}
                    onConfirm={() => confirm(passkey)}
                  />
                )}
                <ConfirmDialog
                  label="Remove"
                  variant="secondary"
                  size="sm"
                  title={`Remove the passkey “${passkey.name}”?`}
                  description="Delete it on the device as well, so that it is no longer offered there."
                  consequences={[
                    "It no longer signs in",
                    "You are signed out of all other browsers",
                  ]}
                  onConfirm={() => take(passkey)}
                />
              </Named>
            </li>
          ))}
        </ul>
      ) : (
        <p className="max-w-prose text-ink-soft">
          {offered
            ? "A passkey unlocks with your fingerprint, face or PIN, and counts as both factors: a sign-in with it asks for no code. Your game key still signs in if you lose it."
            : "Not offered here: browsers make passkeys for host names, and this service is at a bare IP address."}
        </p>
      )}
      <noscript>
        <p className="p-4 text-sm sm:px-5">Passkeys need JavaScript in this browser.</p>
      </noscript>
    </Card>
  );
}

type Passkey = ComponentProps<typeof Added> & {
  id: string;
  name: string;
  backedUp: boolean;
  wantsCode: boolean;
  lastUsedAt: Date | null;
};

function Named({ passkey, children }: { passkey: Passkey; children: ReactNode }) {
  const [editing, setEditing] = useState(false);
  const utils = trpc.useUtils();
  const rename = trpc.passkeys.rename.useMutation({
    onSuccess: () => setEditing(false),
    onSettled: () => void utils.passkeys.show.invalidate(),
  });

  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    rename.mutate({
      id: passkey.id,
      name: String(new FormData(event.currentTarget).get("passkey-name")),
    });
  }

  if (editing)
    return (
      <div className="grid w-full gap-3">
        <RefusalAlert refused={nameFault(rename.error) ? null : rename.error} here={here} />
        <form onSubmit={save} noValidate className="flex w-full flex-wrap items-end gap-3">
          <Field
            id={`name-of-${passkey.id}`}
            name="passkey-name"
            label="Name"
            error={nameFault(rename.error)}
            className="min-w-0 flex-1 basis-48"
          >
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                autoFocus
                defaultValue={passkey.name}
                maxLength={40}
              />
            )}
          </Field>
          <Button type="submit" size="sm" variant="primary" busy={rename.isPending}>
            Save
          </Button>
          <Button
            size="sm"
            variant="quiet"
            onClick={() => {
              rename.reset();
              setEditing(false);
            }}
          >
            Cancel
          </Button>
        </form>
      </div>
    );
  return (
    <>
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-2">
          <bdi className="font-medium wrap-anywhere">{passkey.name}</bdi>
          {passkey.backedUp && <Badge>Synced</Badge>}
          {passkey.wantsCode && <Badge tone="warn">Asks for a code too</Badge>}
        </p>
        <p className="text-sm text-ink-soft">
          <Added {...passkey} />.{" "}
          {passkey.lastUsedAt ? (
            <>
              Last used <Time at={passkey.lastUsedAt} />
            </>
          ) : (
            "Not used yet"
          )}
        </p>
      </div>
      <div className="flex flex-none flex-wrap gap-2">
        <Button size="sm" aria-label={`Rename ${passkey.name}`} onClick={() => setEditing(true)}>
          Rename
        </Button>
        {children}
      </div>
    </>
  );
}

function AddPasskey() {
  const utils = trpc.useUtils();
  const toast = useToast();
  const [problem, setProblem] = useState<string>();
  const begin = trpc.passkeys.begin.useMutation();
  const add = trpc.passkeys.add.useMutation({
    onSuccess: (_, { name }) =>
      toast({ tone: "good", title: `The passkey “${name.trim()}” is added` }),
    onSettled: () => void utils.passkeys.show.invalidate(),
  });
  const refused = begin.error ?? add.error;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get("new-passkey"));
    setProblem(undefined);
    add.reset();
    begin.mutate(
      { name },
      {
        async onSuccess(options) {
          const asked = await makePasskey(options);
          if (asked.problem !== undefined) setProblem(asked.problem);
          else add.mutate({ answer: asked.answer, name }, { onSuccess: () => form.reset() });
        },
      },
    );
  }

  return (
    <div className="grid w-full gap-3">
      <RefusalAlert refused={nameFault(refused) ? null : refused} here={here} />
      {problem && (
        <Alert tone="warn" live>
          {problem}
        </Alert>
      )}
      <form onSubmit={submit} noValidate className="flex w-full flex-wrap items-end gap-3">
        <Field
          name="new-passkey"
          label="Name of a new passkey"
          error={nameFault(refused)}
          className="min-w-0 flex-1 basis-48"
        >
          {(control) => (
            <Input {...control} autoComplete="off" placeholder="My phone" maxLength={40} />
          )}
        </Field>
        <Button type="submit" variant="primary" busy={begin.isPending || add.isPending}>
          Add a passkey
        </Button>
      </form>
    </div>
  );
}

const nameFault = (refused: ProcedureError | null) =>
  refused?.data?.fields?.find(({ field }) => field === "name")?.message;
