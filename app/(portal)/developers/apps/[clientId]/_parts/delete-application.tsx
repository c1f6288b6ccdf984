"use client";

import { useRouter } from "next/navigation";
import { formatCappedCount } from "#app/_lib/format";
import { trpc } from "#app/_lib/trpc";
import { useToast } from "#app/_ui/toast.tsx";
import type { CappedCount } from "#server/platform/capped-count";
import { CutByName } from "./cut-by-name";

type Props = { clientId: string; name: string; figures: { users: CappedCount; tokens: CappedCount } };

/** Ends an application for good. */
export function DeleteApplication({ clientId, name, figures }: Props) {
  const toast = useToast();
  const router = useRouter();
  const remove = trpc.applications.delete.useMutation({
    onSuccess() {
      toast({ tone: "good", title: `${name} is deleted` });
      router.push("/developers");
      router.refresh();
    },
  });

  return (
    <CutByName
      title="Delete this application"
      description="Its tokens stop working at once, and every connected player gets a notice. This cannot be undone."
      players={figures.users}
      tokens={figures.tokens}
      name={name}
      dialog={{
        label: "Delete application",
        title: `Delete ${name}?`,
        description: "This cannot be undone, and the client ID is never reused.",
        consequences: [
          `${formatCappedCount(figures.users, "player")} will be cut off`,
          `${formatCappedCount(figures.tokens, "live token")} will end at once`,
        ],
      }}
      act={remove}
      clientId={clientId}
      here={`/developers/apps/${clientId}/danger`}
    />
  );
}
