"use client";

import { useRouter } from "next/navigation";
import { useAct } from "#app/_lib/use-act";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Status } from "#app/_ui/status.tsx";
import { Time } from "#app/_ui/time.tsx";
import { useToast } from "#app/_ui/toast.tsx";
import { type Refused, readRefusal } from "#app/(portal)/developers/_parts/read-refusal";
import { CodeForm } from "./code-form";

type Props = {
  since: Date;
  backupCodesLeft: number;
  onCodes: (backupCodes: readonly string[]) => void;
  onRefused: (refused: Refused) => void;
};

const few = 3;

/** The second factor while it is on: its backup codes, and the way to turn it off. */
export function SwitchedOn({ since, backupCodesLeft, onCodes, onRefused }: Props) {
  const renew = useAct((portal, _: undefined) => portal.secondFactor.renewBackupCodes.mutate());
  const disable = useAct((portal, code: string) => portal.secondFactor.disable.mutate({ code }));
  const toast = useToast();
  const router = useRouter();

  async function makeNew() {
    try {
      onCodes((await renew.run(undefined)).backupCodes);
    } catch (thrown) {
      onRefused(readRefusal(thrown));
    }
  }

  async function turnOff(code: string) {
    await disable.run(code);
    toast({ tone: "good", title: "The second factor is off" });
    router.refresh();
  }

  return (
    <>
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
            <Button size="sm" busy={renew.busy} onClick={makeNew}>
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
          act={turnOff}
          onRefused={onRefused}
        />
      </Card>
    </>
  );
}
