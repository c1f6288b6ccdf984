import { MonitorSmartphone, Server } from "lucide-react";
import { RadioCards } from "#app/_ui/radio-cards.tsx";
import type { ApplicationForm } from "./use-application-form";

/** Whether the application can keep a secret. Chosen once: tokens and clients rely on it. */
export function KindFields({ form }: { form: ApplicationForm }) {
  return (
    <RadioCards
      name="kind"
      legend="Where does it run?"
      hint="This cannot be changed later."
      value={form.draft.kind}
      onValueChange={(kind) => form.change({ kind: kind === "public" ? "public" : "confidential" })}
      error={form.faults.kind}
      options={[
        {
          value: "confidential",
          label: "On a server",
          icon: <Server className="size-4 text-ink-faint" aria-hidden="true" />,
          hint: "A website or bot that can keep a secret. Gets refresh tokens.",
        },
        {
          value: "public",
          label: "On the player's device",
          icon: <MonitorSmartphone className="size-4 text-ink-faint" aria-hidden="true" />,
          hint: "A userscript, desktop or mobile app. No secret, always PKCE, no refresh tokens.",
        },
      ]}
    />
  );
}
