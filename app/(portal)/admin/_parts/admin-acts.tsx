import type { ReactNode } from "react";
import { portalContext } from "#app/_lib/caller";
import { pageAddress } from "#app/_lib/current-user";
import { readParams, type SearchParams } from "#app/_lib/search-params";
import { confirmPath } from "#app/_lib/sign-in-path";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { AskingDialog } from "#app/_ui/asking-dialog.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Field, Input } from "#app/_ui/field.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { isConfirmed } from "#server/auth/confirmation";

/** Confirms before the admin types a reason, which the redirect would lose. */
export async function ConfirmFirst({ children }: { children: ReactNode }) {
  const { user, context } = await portalContext();
  if (user && isConfirmed(context, user)) return children;
  return (
    <Card
      title="Actions"
      footer={
        <>
          <span>Confirm it's you before you change anything here.</span>
          <LinkButton href={confirmPath({ next: await pageAddress() })} document size="sm">
            Confirm it's you
          </LinkButton>
        </>
      }
    />
  );
}

/** Values of the form before a confirmation or refusal. */
export type Typed = { act: string | undefined; reason: string | undefined };

export const readTyped = (searchParams: SearchParams): Promise<Typed> =>
  readParams(searchParams, ["act", "reason"]);

type ActWithReasonProps = {
  /** Labels of the opening and the acting button. */
  label: string;
  consequences: ReactNode;
  /** States the readers of the reason. */
  reader: string;
  action: string;
  act: string;
  fields?: Readonly<Record<string, string>>;
  /** "plain" for a reversible act. */
  tone?: "danger" | "plain";
  typed: Typed;
};

/** Works without script. */
export function ActWithReason({
  label,
  consequences,
  reader,
  action,
  act,
  fields,
  tone = "danger",
  typed,
}: ActWithReasonProps) {
  const reason = typed.act === act ? typed.reason : undefined;
  return (
    <AskingDialog label={label} title={`${label}?`} unfolded={typed.act === act}>
      <CsrfForm action={action} fields={{ act, ...fields }} className="grid gap-3">
        {reason && (
          <Alert tone="warn">Not done yet. Check the reason, then press the button again.</Alert>
        )}
        <div>{consequences}</div>
        <Field id={`${act}-reason`} name="reason" label="Reason" hint={reader}>
          {(control) => (
            <Input
              {...control}
              defaultValue={reason}
              maxLength={300}
              autoComplete="off"
              className="bg-surface"
            />
          )}
        </Field>
        <div>
          <Button type="submit" variant={tone === "danger" ? "danger" : "primary"} size="sm">
            {label}
          </Button>
        </div>
      </CsrfForm>
    </AskingDialog>
  );
}

const done = {
  verified: "Verified. Players see the mark when the application asks them for access.",
  unverified: "The application is no longer verified.",
  declined: "Declined. The team gets a notice with your reason.",
  suspended: "Suspended. Its tokens no longer work.",
  resumed: "Resumed. Its tokens work again.",
  dismissed: "Reports dismissed. The reporters get a notice.",
  acted: "Reports marked as acted on. The reporters get a notice.",
  banned: "Banned. The account is signed out everywhere, and its tokens no longer work.",
  reset:
    "The second factor is off and the passkeys are removed. The player is signed out everywhere and signs in without it.",
  unbanned: "The ban is lifted. The player can sign in again.",
};
const wrong = {
  "no-reason": "Nothing was changed. Enter a reason of one line, at most 300 characters.",
  outdated:
    "Nothing was changed. The application changed since you opened its page. It is shown as it is now: read it, then decide.",
};

/** Result of the previous form. */
export const Done = ({ searchParams }: { searchParams: SearchParams }) => (
  <FormNotice searchParams={searchParams} done={done} wrong={wrong} />
);
