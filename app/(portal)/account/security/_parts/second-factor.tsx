"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAct } from "#app/_lib/use-act";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Status } from "#app/_ui/status.tsx";
import { type Refused, readRefusal } from "#app/(portal)/developers/_parts/read-refusal";
import { RefusalAlert } from "#app/(portal)/developers/_parts/refusal-alert.tsx";
import { BackupCodesOnce } from "./backup-codes-once";
import { type NewSecret, SetUp } from "./set-up";
import { SwitchedOn } from "./switched-on";

type Props = { since: Date | null; backupCodesLeft: number };

/** The second factor: set it up, make new backup codes, turn it off. Secrets are shown here, once. */
export function SecondFactor({ since, backupCodesLeft }: Props) {
  const begin = useAct((portal, _: undefined) => portal.secondFactor.begin.mutate());
  const [secret, setSecret] = useState<NewSecret>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [refused, setRefused] = useState<Refused>();
  const router = useRouter();

  async function start() {
    setRefused(undefined);
    try {
      setSecret(await begin.run(undefined));
    } catch (thrown) {
      setRefused(readRefusal(thrown));
    }
  }

  function show(made: readonly string[]) {
    setRefused(undefined);
    setSecret(undefined);
    setCodes(made);
    router.refresh();
  }

  return (
    <div className="grid gap-6">
      <RefusalAlert refused={refused} here="/account/security" />
      {codes && <BackupCodesOnce codes={codes} onDone={() => setCodes(undefined)} />}
      {secret && !since && (
        <SetUp secret={secret} onConfirmed={show} onRefused={setRefused} onCancel={() => setSecret(undefined)} />
      )}
      {since && <SwitchedOn since={since} backupCodesLeft={backupCodesLeft} onCodes={show} onRefused={setRefused} />}
      {!since && !secret && (
        <Card
          title="Authenticator app"
          actions={<Status tone="neutral">Off</Status>}
          footer={
            <>
              <span>You need an app such as Aegis, 2FAS or Google Authenticator.</span>
              <Button variant="primary" size="sm" busy={begin.busy} onClick={start}>
                Set up
              </Button>
            </>
          }
        >
          <p className="max-w-prose text-ink-soft">
            An app on your phone shows a new six-digit code every 30 seconds. Once set up, each sign-in asks for the
            current code, and no code works twice.
          </p>
          <p className="mt-3 max-w-prose">Turning it on signs you out of all other browsers.</p>
          <noscript>
            <p className="mt-3 text-sm">Setting it up needs JavaScript in this browser. Signing in with it does not.</p>
          </noscript>
        </Card>
      )}
    </div>
  );
}
