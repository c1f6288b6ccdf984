import { caller } from "#app/_lib/caller";
import type { SearchParams } from "#app/_lib/search-params";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Alert } from "#app/_ui/alert.tsx";

export async function Invitations({ searchParams }: { searchParams: SearchParams }) {
  const invitations = await (await caller()).team.invitations();
  return (
    <>
      <FormNotice
        searchParams={searchParams}
        done={{ left: "Done: you are not in that team.", deleted: "The application is deleted." }}
        wrong={{ withdrawn: "This invitation was withdrawn." }}
      />
      {invitations.map(({ clientId, application, ownerName, role }) => (
        <Alert key={clientId} tone="neutral" title={`${ownerName} invites you to ${application}`}>
          <p>
            {role === "developer"
              ? "As developer you manage its settings, secrets and webhooks."
              : "As viewer you see its figures and failures."}{" "}
            Players see your name in its team.
          </p>
          <AcceptOrDecline
            action={`/developers/apps/${clientId}/team/act`}
            accept="join"
            decline="leave"
          />
        </Alert>
      ))}
    </>
  );
}

type AnswerProps = {
  action: string;
  /** Values of `act` for the two buttons. */
  accept: string;
  decline: string;
};

export const AcceptOrDecline = ({ action, accept, decline }: AnswerProps) => (
  <div className="mt-3 flex flex-wrap gap-2">
    <ActButton action={action} fields={{ act: accept }} variant="primary">
      Accept
    </ActButton>
    <ActButton action={action} fields={{ act: decline }}>
      Decline
    </ActButton>
  </div>
);
