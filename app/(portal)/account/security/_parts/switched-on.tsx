"use client";

import { useRouter } from "next/navigation";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Time } from "#app/_ui/time.tsx";
import { here } from "./added";
import { CodeForm } from "./code-form";

type SwitchedOnProps = {
  since: Date;
  backupCodesLeft: number;
  onCodes: (backupCodes: readonly string[]) => void;
};

const few = 3;

export function SwitchedOn({ since, backupCodesLeft, onCodes }: SwitchedOnProps) {
  const router = useRouter();
  const renew = trpc.secondFactor.renewBackupCodes.useMutation({
    onSuccess: (made) => onCodes(made.backupCodes),
  });
  const disable = trpc.secondFactor.disable.useMutation({
    onSuccess() {
      router.replace(`${here}?done=off`);
      router.refresh();
    },
  });
  return (
    <>
      <RefusalAlert refused={renew.error} here={here} />
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
