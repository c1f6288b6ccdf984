import type { ComponentProps, ReactNode } from "react";
import { portalContext } from "#app/_lib/caller";
import { pageAddress } from "#app/_lib/current-user";
import { readParams, type SearchParams } from "#app/_lib/search-params";
import { confirmPath } from "#app/_lib/sign-in-path";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { isConfirmed } from "#server/auth/confirmation";

/** Asks for the confirmation first, because its redirect would lose a typed reason. */
export async function ConfirmationGate({ children }: { children: ReactNode }) {
  const { user, context } = await portalContext();
  if (user && isConfirmed(context, user)) return children;
  return (
    <Card
      title="Actions"
      footer={
        <>
          <span>Confirm it's you before you change anything here.</span>
          <LinkButton href={confirmPath({ next: await pageAddress() })} size="sm">
            Confirm it's you
          </LinkButton>
        </>
      }
    />
  );
}

/** Values that refill the form after a confirmation or refusal. */
export type ReasonFormValues = { act: string | undefined; reason: string | undefined };

export const readReasonForm = (searchParams: SearchParams): Promise<ReasonFormValues> =>
  readParams(searchParams, ["act", "reason"]);

type ActWithReasonProps = Omit<ComponentProps<typeof ConfirmButton>, "children"> & {
  act: string;
  /** Names the readers of the reason. */
  reader: string;
  typed: ReasonFormValues;
};

export function ActWithReasonButton({ act, fields, reader, typed, ...rest }: ActWithReasonProps) {
  const isTyped = typed.act === act;
  const reason = isTyped ? typed.reason?.trim() : undefined;
  return (
    <ConfirmButton {...rest} fields={{ act, ...fields }} unfolded={isTyped}>
      {reason && (
        <Alert tone="warn">Not done yet. Check the reason, then press the button again.</Alert>
      )}
      <InputField
        id={`${act}-reason`}
        name="reason"
        label="Reason"
        hint={reader}
        defaultValue={reason}
        maxLength={300}
        autoComplete="off"
      />
    </ConfirmButton>
  );
}

/** Keyed by act. */
const done = {
  verify: "Verified. Players see the mark when the application asks them for access.",
  unverify: "The application is no longer verified.",
  decline: "Declined. The team gets a notice with your reason.",
  suspend: "Suspended. Its tokens no longer work.",
  resume: "Resumed. Its tokens work again.",
  dismiss: "Reports dismissed. The reporters get a notice.",
  acted: "Reports marked as acted on. The reporters get a notice.",
  ban: "Banned. The account is signed out everywhere, and its tokens no longer work.",
  reset:
    "The second factor is off and the passkeys are removed. The player is signed out everywhere and signs in without it.",
  unban: "The ban is lifted. The player can sign in again.",
};
const wrong = {
  "no-reason": "Nothing was changed. Enter a reason of one line, at most 300 characters.",
  outdated:
    "Nothing was changed. The application changed since you opened its page. It is shown as it is now: read it, then decide.",
};

export const DoneAlert = ({ searchParams }: { searchParams: SearchParams }) => (
  <FormNotice searchParams={searchParams} done={done} wrong={wrong} />
);
