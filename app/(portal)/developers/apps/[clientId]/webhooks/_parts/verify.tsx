"use client";

import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { AttemptResultCard } from "./attempt";
import { endpointPath } from "./endpoint-path";

type Props = { clientId: string | null; endpointId: string; isVerified: boolean };

/** In its own file, so that its page does not load the script of the other acts. */
export function VerifyEndpointForm({ isVerified, ...key }: Props) {
  const page = endpointPath(key);
  const router = useRouter();
  const verify = trpc.webhooks.verify.useMutation({
    onSuccess({ outcome }) {
      if (outcome === "verified" && !isVerified) router.replace(`${page}?done=verified`);
      // The layout also shows the endpoint's state, so the whole page refreshes.
      router.refresh();
    },
  });
  const data = verify.data?.outcome === "verified" && !isVerified ? undefined : verify.data;

  function submit(event: FormEvent) {
    event.preventDefault();
    verify.mutate(key);
  }

  return (
    <form onSubmit={submit} className="grid gap-3">
      <div>
        <Button
          type="submit"
          variant={isVerified ? "secondary" : "primary"}
          busy={verify.isPending}
        >
          {isVerified ? "Verify again" : "Verify endpoint"}
        </Button>
      </div>
      <div aria-live="polite" className="grid gap-3 empty:hidden">
        {verify.isPending && (
          <p className="text-sm text-ink-soft">Two requests are on their way: up to 30 seconds.</p>
        )}
        {data && !verify.isPending && (
          <>
            {data.outcome === "verified" ? (
              <Alert tone="good" title="Verified">
                Your endpoint sent the code back and refused the forged request.
              </Alert>
            ) : (
              <Alert tone="bad" title="Not verified">
                {data.why}
              </Alert>
            )}
            <AttemptResultCard
              title="1. Signed endpoint.verify"
              attempt={data.signed}
              good={data.outcome === "verified" || data.forged !== null}
            />
            {data.forged && (
              <AttemptResultCard
                title="2. Wrong signature"
                attempt={data.forged}
                good={data.outcome === "verified"}
              />
            )}
          </>
        )}
      </div>
      <RefusalAlert refused={verify.error} here={page} />
    </form>
  );
}
