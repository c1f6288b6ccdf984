"use client";

import { FlaskConical } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAct } from "#app/_lib/use-act";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { EmptyState } from "#app/_ui/empty-state.tsx";
import { LinkButton } from "#app/_ui/link-button.tsx";
import { type Refused, readRefusal } from "#app/(portal)/developers/_parts/read-refusal";
import { RefusalAlert } from "#app/(portal)/developers/_parts/refusal-alert.tsx";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import { scopeNames } from "#server/scopes";

const playgroundAt = (page: string): ApplicationInput => ({
  kind: "public",
  name: "My playground",
  redirectUris: [],
  scopes: [...scopeNames],
  optionalScopes: [...scopeNames],
  clientUri: page,
  tosUri: page,
  privacyUri: page,
  privacy: {
    data: "The data you request in the playground.",
    use: "Shown to you, in your own browser.",
    retention: "Until you close the page. Nothing is stored.",
    deletion: "Close the page.",
    sharing: "Nobody.",
  },
});

/** Registers a public application for the playground, in one click. */
export function CreatePlayground({ baseUrl }: { baseUrl: string }) {
  const create = useAct((portal, page: string) => portal.applications.create.mutate(playgroundAt(page)));
  const router = useRouter();
  const [refused, setRefused] = useState<Refused>();

  async function register() {
    setRefused(undefined);
    // Registered addresses are https only; on one's own machine nobody follows them.
    const page = `${baseUrl.replace(/^http:/, "https:")}/docs`;
    try {
      await create.run(page);
      router.refresh();
    } catch (thrown) {
      setRefused(readRefusal(thrown));
    }
  }

  return (
    <Card flush>
      <EmptyState
        icon={<FlaskConical />}
        title="The playground needs a public application"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button variant="primary" busy={create.busy} onClick={register}>
              Create “My playground”
            </Button>
            <LinkButton href="/developers/new">Register one yourself</LinkButton>
          </div>
        }
      >
        It may ask for every scope and uses the hosted callback. You can delete it like any other.
      </EmptyState>
      {refused && (
        <div className="p-4">
          <RefusalAlert refused={refused} here="/developers/playground" />
        </div>
      )}
    </Card>
  );
}
