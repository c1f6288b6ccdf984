import { caller } from "#app/_lib/caller";
import type { SearchParams } from "#app/_lib/search-params";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";

export async function Invitations({ searchParams }: { searchParams: SearchParams }) {
  const invitations = await (await caller()).team.invitations();
  return (
    <>
      <FormNotice
        searchParams={searchParams}
        done={{ left: "Done: you are not in that team.", deleted: "The application is deleted." }}
        wrong={{ withdrawn: "This invitation was withdrawn." }}
      />
      {invitations.map(({ clientId, application, ownerName, role }) => {
        const action = `/developers/apps/${clientId}/team/act`;
        return (
          <Alert key={clientId} tone="neutral" title={`${ownerName} invites you to ${application}`}>
            <p>
              {role === "developer"
                ? "As developer you manage its settings, secrets and webhooks."
                : "As viewer you see its figures and failures."}{" "}
              Players see your name in its team.
            </p>
            <div className="mt-3 flex flex-wrap gap-2">
              <CsrfForm action={action} fields={{ act: "join" }}>
                <Button type="submit" variant="primary" size="sm">
                  Accept
                </Button>
              </CsrfForm>
              <CsrfForm action={action} fields={{ act: "leave" }}>
                <Button type="submit" size="sm">
                  Decline
                </Button>
              </CsrfForm>
            </div>
          </Alert>
        );
      })}
    </>
  );
}
