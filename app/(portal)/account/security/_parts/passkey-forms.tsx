"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useState } from "react";
import { makePasskey } from "#app/_lib/passkeys";
import { faultAt } from "#app/_lib/refusal";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { Time } from "#app/_ui/time.tsx";
import { describeBrowser } from "#server/auth/describe-browser";
import type { RouterOutputs } from "#server/portal/router";

export function PasskeyRow({ passkey, children }: { passkey: ListedPasskey; children: ReactNode }) {
  const [editing, setEditing] = useState(false);
  const router = useRouter();
  const rename = trpc.passkeys.rename.useMutation({
    onSuccess() {
      setEditing(false);
      router.refresh();
    },
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
        <RefusalAlert
          refused={faultAt(rename.error, "name") ? null : rename.error}
          here={securityPath}
        />
        <form onSubmit={save} noValidate className="flex w-full flex-wrap items-end gap-3">
          <InputField
            id={`name-of-${passkey.id}`}
            name="passkey-name"
            label="Name"
            error={faultAt(rename.error, "name")}
            className="min-w-0 flex-1 basis-48"
            autoComplete="off"
            autoFocus
            defaultValue={passkey.name}
            maxLength={40}
          />
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
          <PasskeyAddedNote {...passkey} />.{" "}
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

export function AddPasskeyForm() {
  const router = useRouter();
  const [problem, setProblem] = useState<string>();
  const begin = trpc.passkeys.begin.useMutation();
  const add = trpc.passkeys.add.useMutation({
    onSuccess() {
      router.replace(`${securityPath}?done=added`);
      router.refresh();
    },
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
      <RefusalAlert refused={faultAt(refused, "name") ? null : refused} here={securityPath} />
      {problem && (
        <Alert tone="warn" live>
          {problem}
        </Alert>
      )}
      <form onSubmit={submit} noValidate className="flex w-full flex-wrap items-end gap-3">
        <InputField
          name="new-passkey"
          label="Name of a new passkey"
          error={faultAt(refused, "name")}
          className="min-w-0 flex-1 basis-48"
          autoComplete="off"
          placeholder="My phone"
          maxLength={40}
        />
        <Button type="submit" variant="primary" busy={begin.isPending || add.isPending}>
          Add a passkey
        </Button>
      </form>
    </div>
  );
}

export const securityPath = "/account/security";

export type ListedPasskey = RouterOutputs["passkeys"]["show"]["passkeys"][number];

export const PasskeyAddedNote = ({
  createdAt,
  address,
  userAgent,
}: Pick<ListedPasskey, "createdAt" | "address" | "userAgent">) => (
  <>
    Added <Time at={createdAt} />, {describeBrowser(userAgent)}
    {address && `, ${address}`}
  </>
);
