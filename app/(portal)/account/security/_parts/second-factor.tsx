"use client";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CopyButton } from "#app/_ui/copy-button.tsx";
import { SecretOnce } from "#app/_ui/secret-once.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import type { RouterOutputs } from "#server/portal/router";
import { type ListedPasskey, securityPath } from "./passkey-forms";

/** Loaded on demand, because a page shows at most one of them. */
const AuthenticatorSettings = lazy(async () => ({
  default: (await import("./authenticator")).AuthenticatorSettings,
}));
const AuthenticatorSetup = lazy(async () => ({
  default: (await import("./authenticator")).AuthenticatorSetup,
}));

type SecondFactorProps = RouterOutputs["secondFactor"]["show"] & {
  forAdmin: boolean;
  passkeys: readonly ListedPasskey[];
};

/** The secret and the backup codes exist only in the component's state, so they are shown once. */
export function SecondFactorSettings({
  since,
  backupCodesLeft,
  forAdmin,
  passkeys,
}: SecondFactorProps) {
  const router = useRouter();
  const begin = trpc.secondFactor.begin.useMutation();
  const [codes, setCodes] = useState<readonly string[]>();

  function show(made: readonly string[]) {
    setCodes(made);
    begin.reset();
    router.refresh();
  }

  return (
    <>
      {forAdmin && <ForAdmin isOn={since !== null} />}
      <RefusalAlert refused={begin.error} here={securityPath} />
      {codes && <BackupCodesOnce codes={codes} onDone={() => setCodes(undefined)} />}
      {begin.data && !since && (
        <Suspense>
          <AuthenticatorSetup
            secret={begin.data}
            passkeys={passkeys}
            onConfirmed={show}
            onCancel={begin.reset}
          />
        </Suspense>
      )}
      {since && (
        <Suspense>
          <AuthenticatorSettings since={since} backupCodesLeft={backupCodesLeft} onCodes={show} />
        </Suspense>
      )}
      {!since && !begin.data && (
        <Card
          title="Authenticator app"
          actions={<Status tone="neutral">Off</Status>}
          footer={
            <>
              <span>You need an app such as Aegis, 2FAS or Google Authenticator.</span>
              <Button
                variant="primary"
                size="sm"
                busy={begin.isPending}
                onClick={() => begin.mutate()}
              >
                Set up
              </Button>
            </>
          }
        >
          <p className="max-w-prose text-ink-soft">
            An app on your phone shows a new six-digit code every 30 seconds. Once set up, each
            sign-in asks for the current code, and no code works twice.
          </p>
          <p className="mt-3 max-w-prose">Turning it on signs you out of all other browsers.</p>
          <noscript>
            <p className="mt-3 text-sm">
              Setting it up needs JavaScript in this browser. Signing in with it does not.
            </p>
          </noscript>
        </Card>
      )}
    </>
  );
}

/** Explains to an admin why `/admin` redirected here. */
const ForAdmin = ({ isOn }: { isOn: boolean }) => (
  <Alert
    tone={isOn ? "good" : "warn"}
    title={isOn ? "You can open the administration" : "Administration needs a second factor"}
    actions={
      isOn && (
        <LinkButton href="/admin" document size="sm">
          Open administration
        </LinkButton>
      )
    }
  >
    {isOn
      ? "Store your backup codes first if they are shown below."
      : "Set up an authenticator app below to open it in this browser."}
  </Alert>
);

const BackupCodesOnce = ({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) => (
  <SecretOnce
    made
    title="Store these backup codes now. They are shown once."
    note="If you lose your phone, each of them works once instead of a code from the app. Keep them apart from your game key."
  >
    <ul className="grid grid-cols-2 gap-x-6 gap-y-2 font-mono sm:max-w-110">
      {codes.map((code) => (
        <li key={code} className="select-all">
          {code}
        </li>
      ))}
    </ul>
    <div className="mt-4 flex flex-wrap gap-3">
      <CopyButton text={codes.join("\n")} what="all backup codes" withLabel />
      <Button size="sm" variant="primary" onClick={onDone}>
        I have stored them
      </Button>
    </div>
  </SecretOnce>
);
