"use client";

import { MonitorSmartphone, Server } from "lucide-react";
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect } from "react";
import { draftLine, draftOf, draftOwner, newApplicationDraft, readDraft } from "#app/_lib/draft";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { RadioCards } from "#app/_ui/radio-cards.tsx";
import { StepProgress } from "#app/_ui/steps.tsx";
import {
  type ApplicationForm,
  NameField,
  RedirectField,
  useApplicationForm,
} from "./application-form";
import { type FieldFaults, readApplicationForm } from "./typed-application";

/** Loaded once there are credentials: it brings the samples of four clients. */
const NewCredentials = lazy(async () => ({
  default: (await import("./new-credentials")).NewCredentials,
}));

const page = newApplicationDraft.path;
const steps = ["Register", "Credentials", "Open to players"];

/** The kept draft, or the scope of a first call. */
const startOf = (draft: string | null) =>
  readApplicationForm(new URLSearchParams(draft || "scopes=identity"));

type Props = {
  baseUrl: string;
  playerId: number;
  /** Stored in a cookie. */
  draft: string | null;
  faults: FieldFaults;
  children: ReactNode;
};

export function NewApplication({ baseUrl, playerId, draft, faults, children }: Props) {
  const form = useApplicationForm(startOf(draft), faults);
  const create = trpc.applications.create.useMutation({
    onSuccess() {
      keep("");
      window.scrollTo({ top: 0 });
    },
    onError: form.onError,
  });

  // A page from the browser's or router's cache shows its initial values.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is shown.
  useEffect(() => {
    const newer = readDraft(document.cookie, newApplicationDraft, playerId);
    if (newer !== draft) form.replace(startOf(newer));
  }, []);

  function typed(event: FormEvent<HTMLFormElement>) {
    form.onChange(event);
    const fields = new FormData(event.currentTarget);
    keep(
      draftOf(
        kept.flatMap((name) => fields.getAll(name).map((value) => [name, String(value)] as const)),
      ),
    );
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    create.mutate(form.input());
  }

  if (create.isSuccess)
    return (
      <div className="grid gap-6">
        <StepProgress label="Registration" steps={steps} current={1} />
        <Suspense>
          <NewCredentials
            baseUrl={baseUrl}
            application={create.variables}
            credentials={create.data}
          />
        </Suspense>
      </div>
    );
  return (
    <form
      ref={form.frame}
      method="post"
      action={`${page}/register`}
      onChange={typed}
      onSubmit={submit}
      className="grid gap-6"
    >
      {children}
      <StepProgress label="Registration" steps={steps} current={0} />
      <Card
        footer={
          <>
            <span>You can change all but the kind later.</span>
            <Button type="submit" variant="primary" busy={create.isPending}>
              Register
            </Button>
          </>
        }
      >
        <div key={form.start.key} className="grid gap-6">
          <RefusalAlert refused={create.error} here={page} />
          <KindField form={form} />
          <NameField form={form} />
          <RedirectField form={form} />
          <Checkbox
            name="scopes"
            value="identity"
            defaultChecked={form.start.values.scopes.includes("identity")}
            label={
              <>
                Ask who the player is{" "}
                <code className="ml-1 font-mono text-xs text-ink-faint">identity</code>
              </>
            }
            hint="The scope of a first call. You choose all others in the settings."
          />
        </div>
      </Card>
    </form>
  );
}

/** Draft fields by importance, with the draft's owner. */
const kept = [draftOwner, "kind", "name", "scopes", "redirectUris"];

function keep(draft: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve.
  document.cookie = draftLine(newApplicationDraft, draft, location.protocol === "https:");
}

/** Immutable, because tokens and clients rely on it. */
const KindField = ({ form: { start, faults } }: { form: ApplicationForm }) => (
  <RadioCards
    name="kind"
    legend="Where does it run?"
    hint="This cannot be changed later."
    defaultValue={start.values.kind}
    error={faults.kind}
    options={[
      {
        value: "confidential",
        label: "On a server",
        icon: <Server className="size-4 text-ink-faint" />,
        hint: "A website or bot that can keep a secret. Gets refresh tokens.",
      },
      {
        value: "public",
        label: "On the player's device",
        icon: <MonitorSmartphone className="size-4 text-ink-faint" />,
        hint: "A userscript, desktop or mobile app. No secret, always PKCE, no refresh tokens.",
      },
    ]}
  />
);
