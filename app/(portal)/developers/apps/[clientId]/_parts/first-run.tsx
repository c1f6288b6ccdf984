import { Check, Circle } from "lucide-react";
import type { ReactNode } from "react";
import { caller } from "#app/_lib/caller";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { ApplicationView } from "#server/oauth/clients/own-applications";
import { mayDo } from "#server/oauth/clients/team/rights";
import { dayMs } from "#server/platform/time";

/** The logs that prove a step go back as far. */
const shownDays = 30;

/** Undefined once every step is done, and for an older application. */
export async function firstRunOf(
  { clientId, kind, createdAt, secrets, role }: ApplicationView,
  now: Date,
): Promise<ReactNode | undefined> {
  if (now.getTime() - createdAt.getTime() > shownDays * dayMs) return undefined;
  const { code, token, call } = await (await caller()).applications.firstRun({ clientId });
  const page = `/developers/apps/${clientId}`;
  const steps = [
    ...(kind === "public"
      ? []
      : [
          {
            label: "Secret saved",
            done: secrets.some(({ lastUsedAt, savedAt }) => lastUsedAt ?? savedAt),
            hint: mayDo(role, "secrets") && (
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <CsrfForm action={`${page}/secrets-saved`}>
                  <Button type="submit" size="sm">
                    I saved it
                  </Button>
                </CsrfForm>
                <TextLink href={`${page}/credentials`}>Lost it? Create another</TextLink>
              </span>
            ),
          },
        ]),
    { label: "First code", done: code, hint: "Paste the curl block below and approve." },
    {
      label: "First token",
      done: token,
      hint: code && <TextLink href={`${page}/failures`}>See why the exchange failed</TextLink>,
    },
    { label: "First call", done: call, hint: "It is listed under Requests within a second." },
  ];
  if (steps.every(({ done }) => done)) return undefined;
  return (
    <Card title="First run">
      <ol className="grid gap-2">
        {steps.map(({ label, done, hint }) => (
          <li key={label} className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5">
            {done ? (
              <Check className="size-4 flex-none text-good" aria-label="Done:" />
            ) : (
              <Circle className="size-4 flex-none text-ink-faint" aria-label="To do:" />
            )}
            <span className={done ? "text-ink-soft" : "font-medium"}>{label}</span>
            {!done && hint && <span className="text-sm text-ink-soft">{hint}</span>}
          </li>
        ))}
      </ol>
    </Card>
  );
}
