"use client";

import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { SelectField } from "#app/_ui/field.tsx";
import { SecretOnce } from "#app/_ui/secret-once.tsx";
import { AttemptResultCard } from "./attempt";
import { endpointPath } from "./endpoint-path";

type Props = { clientId: string | null; endpointId: string };

export function TestEventForm({ types, ...key }: Props & { types: readonly string[] }) {
  const router = useRouter();
  const test = trpc.webhooks.test.useMutation({ onSuccess: () => router.refresh() });
  const { data } = test;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    test.mutate({ ...key, type: String(new FormData(event.currentTarget).get("test_type")) });
  }

  return (
    <form onSubmit={submit} className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          name="test_type"
          label="Type"
          className="min-w-0 flex-1 basis-56"
          options={types.map((type) => ({ value: type, label: type }))}
        />
        <Button type="submit" busy={test.isPending}>
          Send test event
        </Button>
      </div>
      <div aria-live="polite" className="grid gap-3 empty:hidden">
        {test.isPending && (
          <p className="text-sm text-ink-soft">Waiting for your endpoint: up to 15 seconds.</p>
        )}
        {data && !test.isPending && (
          <AttemptResultCard
            title={data.delivered ? "Delivered" : "Not delivered"}
            attempt={data}
            good={data.delivered}
          />
        )}
      </div>
      <RefusalAlert refused={test.error} here={endpointPath(key)} />
    </form>
  );
}

type RotateProps = Props & {
  mostDays: number;
  /** True while the previous secret works; only a leak then allows another rotation. */
  hasPrevious: boolean;
  /** True if the current secret is unreadable. */
  isLost: boolean;
};

export function RotateSecretForm({ mostDays, hasPrevious, isLost, ...key }: RotateProps) {
  const router = useRouter();
  const rotate = trpc.webhooks.rotate.useMutation({ onSuccess: () => router.refresh() });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const leaked = fields.get("leaked") === "yes";
    rotate.mutate({ ...key, keepDays: Number(fields.get("keep_days") ?? 0), leaked });
  }

  if (rotate.data)
    return (
      <SecretOnce
        made
        note="It signs every event from now on. Put it in place before the old one ends."
        items={[{ label: "Webhook secret", value: rotate.data.secret }]}
      />
    );
  return (
    <form onSubmit={submit} className="grid gap-4">
      {!hasPrevious && !isLost && (
        <SelectField
          name="keep_days"
          label="Keep the old secret for"
          hint="Until then each event carries two signatures, one for each secret."
          className="sm:max-w-60"
          defaultValue="1"
          options={Array.from({ length: mostDays + 1 }, (_, days) => ({
            value: String(days),
            label: days === 0 ? "No time: it ends now" : days === 1 ? "1 day" : `${days} days`,
          }))}
        />
      )}
      {!isLost && (
        <Checkbox
          name="leaked"
          value="yes"
          required={hasPrevious}
          label="This secret has leaked"
          hint="Ends every older secret at once. Events fail until your endpoint has the new one; they are tried again."
        />
      )}
      <RefusalAlert refused={rotate.error} here={`${endpointPath(key)}/settings`} />
      <div>
        <Button type="submit" busy={rotate.isPending}>
          Rotate secret
        </Button>
      </div>
    </form>
  );
}
