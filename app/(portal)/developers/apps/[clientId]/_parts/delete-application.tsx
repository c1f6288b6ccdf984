"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAct } from "#lib/use-act";
import { Card } from "#ui/card";
import { ConfirmDialog } from "#ui/confirm-dialog";
import { useToast } from "#ui/toast";
import { type Refused, readRefusal } from "../../../_parts/read-refusal";
import { RefusalAlert } from "../../../_parts/refusal-alert";

type Props = { clientId: string; name: string; figures: { users: number; tokens: number } };

/** Ends an application for good. Says what that cuts, and wants its name. */
export function DeleteApplication({ clientId, name, figures }: Props) {
  const remove = useAct((portal, confirmName: string) => portal.applications.delete.mutate({ clientId, confirmName }));
  const [refused, setRefused] = useState<Refused>();
  const toast = useToast();
  const router = useRouter();

  async function confirm(): Promise<string | undefined> {
    setRefused(undefined);
    try {
      await remove.run(name);
      toast({ tone: "good", title: `${name} is deleted` });
      router.push("/developers");
      router.refresh();
      return undefined;
    } catch (thrown) {
      const why = readRefusal(thrown);
      if (!why.wantsSignIn) return why.message;
      // The way on is a link, which stands on the page: the dialog closes for it.
      setRefused(why);
      return undefined;
    }
  }

  return (
    <Card
      tone="danger"
      title="Delete this application"
      description="Its tokens end at once and players lose what they connected. This cannot be undone."
      footer={
        <>
          <span>
            {inWords(figures.users, "player")}, {inWords(figures.tokens, "live token")}
          </span>
          <ConfirmDialog
            label="Delete application"
            title={`Delete ${name}?`}
            description="It cannot be brought back, and its client id is not given out again."
            consequences={[
              `${inWords(figures.users, "player")} will be cut off`,
              `${inWords(figures.tokens, "live token")} will end at once`,
            ]}
            confirmName={name}
            onConfirm={confirm}
          />
        </>
      }
    >
      {refused && <RefusalAlert refused={refused} here={`/developers/apps/${clientId}/settings`} />}
    </Card>
  );
}

const inWords = (many: number, what: string) => `${many.toLocaleString("en")} ${what}${many === 1 ? "" : "s"}`;
