"use client";

import { useRouter } from "next/navigation";
import type { FormEvent, ReactNode } from "react";
import { type ProcedureError, refusalSentence, wantedProof } from "#app/_lib/refusal";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import type { ButtonVariant } from "#app/_ui/class-names.tsx";
import { CopyButton } from "#app/_ui/copy-button.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { RouterOutputs } from "#server/portal/router";
import { type ListedPasskey, PasskeyAddedNote, securityPath } from "./passkey-forms";

type AuthenticatorSetupProps = {
  secret: RouterOutputs["secondFactor"]["begin"];
  passkeys: readonly ListedPasskey[];
  onConfirmed: (backupCodes: readonly string[]) => void;
  onCancel: () => void;
};

/**
 * Each passkey is kept or removed explicitly, because an attacker's would count as both factors.
 */
export function AuthenticatorSetup({
  secret,
  passkeys,
  onConfirmed,
  onCancel,
}: AuthenticatorSetupProps) {
  const confirm = trpc.secondFactor.confirm.useMutation({
    onSuccess: (made) => onConfirmed(made.backupCodes),
  });
  return (
    <Card
      title="Set up your authenticator app"
      description="The code is shown once. If you leave the page, you start again."
    >
      <ol className="grid gap-6">
        <li className="grid gap-3">
          <h3 className="font-medium">1. Scan this with the app</h3>
          <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
            {/* biome-ignore lint/performance/noImgElement: the image is part of the answer, there is nothing to fetch. */}
            <img
              src={secret.qrCode}
              alt="QR code of the secret, which is also shown as text"
              width={196}
              height={196}
              className="rounded-card border border-line bg-white"
            />
            <div className="min-w-0 flex-1 basis-60 text-sm">
              <p className="text-ink-soft">Or enter this in the app as a time-based key:</p>
              <p className="mt-1.5 flex items-center gap-2 rounded-control border border-line bg-sunken py-1 pr-1.5 pl-3">
                <code className="min-w-0 flex-1 py-1 font-mono text-[0.8125rem] leading-5 wrap-anywhere select-all">
                  {inGroups(secret.secret)}
                </code>
                <CopyButton text={secret.secret} what="the secret" />
              </p>
              <p className="mt-3">
                <TextLink href={secret.uri} document>
                  Open an app on this device
                </TextLink>
              </p>
            </div>
          </div>
        </li>
        <li className="grid gap-3">
          <h3 className="font-medium">2. Enter the code it shows</h3>
          <p className="text-sm text-ink-soft">
            Turning it on signs you out of all other browsers.
          </p>
          <CodeForm
            label="Six-digit code"
            submit="Turn on"
            mutation={confirm}
            send={(code, sent) =>
              confirm.mutate({
                code,
                keep: passkeys.flatMap(({ id }) => (sent.get(id) === "keep" ? id : [])),
              })
            }
          >
            {passkeys.map((passkey) => (
              <KeepOrRemove key={passkey.id} passkey={passkey} />
            ))}
          </CodeForm>
        </li>
      </ol>
      <div className="mt-5 border-t border-line pt-4">
        <Button size="sm" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Card>
  );
}

/** Groups of four are easier to copy; apps ignore the spaces. */
const inGroups = (secret: string): string => secret.replace(/(.{4})(?=.)/g, "$1 ");

const KeepOrRemove = ({ passkey: { id, name, ...passkey } }: { passkey: ListedPasskey }) => (
  <fieldset className="rounded-control border border-line px-3 py-2 text-sm">
    <legend className="px-1 font-medium wrap-anywhere">Passkey “{name}”</legend>
    <p className="text-ink-soft">
      <PasskeyAddedNote {...passkey} />
    </p>
    <div className="mt-1.5 flex flex-wrap gap-x-5 gap-y-1">
      {(["keep", "remove"] as const).map((choice) => (
        <label key={choice} className="flex items-center gap-2 py-1">
          <input type="radio" name={id} value={choice} required className="size-4 accent-accent" />
          {choice === "keep" ? "This is mine: keep it" : "Remove it"}
        </label>
      ))}
    </div>
  </fieldset>
);

type AuthenticatorSettingsProps = {
  since: Date;
  backupCodesLeft: number;
  onCodes: (backupCodes: readonly string[]) => void;
};

const few = 3;

export function AuthenticatorSettings({
  since,
  backupCodesLeft,
  onCodes,
}: AuthenticatorSettingsProps) {
  const router = useRouter();
  const renew = trpc.secondFactor.renewBackupCodes.useMutation({
    onSuccess: (made) => onCodes(made.backupCodes),
  });
  const disable = trpc.secondFactor.disable.useMutation({
    onSuccess() {
      router.replace(`${securityPath}?done=off`);
      router.refresh();
    },
  });
  return (
    <>
      <RefusalAlert refused={renew.error} here={securityPath} />
      <Card title="Authenticator app" actions={<Status tone="good">On</Status>}>
        <p className="text-ink-soft">
          Each sign-in asks for a code from your app. On since <Time at={since} />.
        </p>
      </Card>
      <Card
        title="Backup codes"
        actions={
          <Status tone={backupCodesLeft <= few ? "warn" : "neutral"}>
            {backupCodesLeft === 0 ? "None left" : `${backupCodesLeft} left`}
          </Status>
        }
        footer={
          <>
            <span>New codes replace the ones you have now.</span>
            <Button size="sm" busy={renew.isPending} onClick={() => renew.mutate()}>
              Make new codes
            </Button>
          </>
        }
      >
        <p className="text-ink-soft">Use them when you don't have your phone. Each works once.</p>
      </Card>
      <Card
        tone="danger"
        title="Turn off the second factor"
        description="You then sign in with your game key or chat account alone. Confirm with one last code."
      >
        <CodeForm
          label="Code, or a backup code"
          submit="Turn off"
          variant="danger"
          send={(code) => disable.mutate({ code })}
          mutation={disable}
        />
      </Card>
    </>
  );
}

type CodeFormProps = {
  label: string;
  submit: string;
  variant?: ButtonVariant;
  send: (code: string, sent: FormData) => void;
  children?: ReactNode;
  mutation: {
    readonly reset: () => void;
    readonly isPending: boolean;
    readonly error: ProcedureError | null;
  };
};

function CodeForm(props: CodeFormProps) {
  const { label, submit, variant = "primary", send, children, mutation } = props;
  const { reset, isPending, error } = mutation;

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    send(String(sent.get("code")), sent);
  }

  return (
    <div className="grid gap-3">
      <RefusalAlert refused={error} here={securityPath} proofOnly />
      <form onSubmit={onSubmit} className="grid gap-3 sm:max-w-90">
        {children}
        <InputField
          name="code"
          label={label}
          error={error && !wantedProof(error) && refusalSentence(error)}
          code
          autoComplete="one-time-code"
          maxLength={40}
          onChange={() => error && reset()}
        />
        <div>
          <Button type="submit" variant={variant} busy={isPending}>
            {submit}
          </Button>
        </div>
      </form>
    </div>
  );
}
