import { Check, Circle } from "lucide-react";
import type { ReactNode } from "react";
import { caller } from "#app/_lib/caller";
import { formatCount } from "#app/_lib/format";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { missingForPlayers } from "#server/oauth/clients/application-fields";
import type { ApplicationView } from "#server/oauth/clients/own-applications";
import { mayDo } from "#server/oauth/clients/team/rights";
import { dayMs } from "#server/platform/time";

type InTestProps = {
  application: ApplicationView;
  /** False on the settings page, to which the link leads. */
  withLink?: boolean;
};

export function InTestNotice({ application, withLink }: InTestProps) {
  const { clientId, kind, role, openedAt } = application;
  if (openedAt) return null;
  const missing = missingForPlayers(kind, application);
  const isOwner = mayDo(role, "ownership");
  return (
    <Alert
      tone="warn"
      title="In test: only its team and test players can approve it"
      actions={
        missing.length > 0 &&
        withLink && (
          <LinkButton href={`/developers/apps/${clientId}/settings`} size="sm">
            Open the settings
          </LinkButton>
        )
      }
    >
      {missing.length === 0 && (
        <p>
          Everything is filled in.{" "}
          {isOwner ? "Open it when it is ready for others." : "Its owner can open it to players."}
        </p>
      )}
      {mayDo(role, "settings") && (
        <p>
          Let others try it first:{" "}
          <TextLink href={`/developers/apps/${clientId}/team`}>add test players</TextLink>.
        </p>
      )}
      {missing.length > 0 ? (
        <details>
          <summary className="w-fit underline underline-offset-2">
            {formatCount(missing.length, "field")} missing before you can open it to players
          </summary>
          <ul className="mt-1 grid list-disc gap-x-6 pl-5 sm:grid-cols-2">
            {missing.map(({ field, label }) => (
              <li key={field}>{label}</li>
            ))}
          </ul>
        </details>
      ) : (
        isOwner && (
          <div className="mt-3">
            <ConfirmButton
              label="Open to players"
              tone="plain"
              action={`/developers/apps/${clientId}/open`}
              consequences="From now on any player can approve it. It cannot be closed again, and what players are told stays required. The list of test players is deleted; what they approved stays."
            />
          </div>
        )
      )}
    </Alert>
  );
}

/** The log that proves a step keeps calls for this many days. */
const shownDays = 30;

/** Undefined if all steps are done, or if the application is older than `shownDays`. */
export async function firstRunCardOf(
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
                <ActButton action={`${page}/secrets-saved`}>I saved it</ActButton>
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
