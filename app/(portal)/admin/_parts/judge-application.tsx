import { formatCappedCount } from "#app/_lib/format";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { EventDetails } from "#app/_parts/event-details.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Time } from "#app/_ui/time.tsx";
import { Checklist } from "#app/(portal)/developers/_parts/checklist.tsx";
import type { RouterOutputs } from "#server/portal/router";
import { ActWithReasonButton, type ReasonFormValues } from "./admin-acts";

type Props = {
  application: RouterOutputs["admin"]["application"];
  typed: ReasonFormValues;
};

export function ModerationCards({ application, typed }: Props) {
  const { clientId, version, verifiedAt, suspendedAt, requestedAt } = application;
  const { ownerBanned, users, grants } = application;
  const action = `/admin/applications/${clientId}/act`;
  return (
    <>
      <Card
        title="Verification"
        description="Players see the mark on the consent page. Verify an application once you know who runs it."
      >
        {requestedAt && <RequestFacts application={application} />}
        <div className="flex flex-wrap items-start gap-2">
          <ActWithReasonButton
            label={verifiedAt ? "Remove verification" : "Verify"}
            action={action}
            act={verifiedAt ? "unverify" : "verify"}
            fields={{ version: String(version) }}
            tone="plain"
            typed={typed}
            reader="Kept in the audit log, and shown to the developer in a notice."
            consequences={
              verifiedAt
                ? "Players no longer see the mark. The application still works."
                : "Players see that you vouch for it: for its name, addresses and scopes as they are now."
            }
          />
          {requestedAt && (
            <ActWithReasonButton
              label="Decline"
              action={action}
              act="decline"
              fields={{ version: String(version) }}
              tone="plain"
              typed={typed}
              reader="Kept in the audit log, and shown to the team in a notice and on the application's page."
              consequences="The request is closed. The application works as before, and its owner can ask again."
            />
          )}
        </div>
      </Card>
      {suspendedAt ? (
        <Card
          title="Suspension"
          description="When it is lifted, the application's tokens work again."
        >
          {ownerBanned ? (
            <p>Its developer is banned. When the ban is lifted, the application works again.</p>
          ) : (
            <ActButton action={action} fields={{ act: "resume" }}>
              Resume
            </ActButton>
          )}
        </Card>
      ) : (
        <Card tone="danger" title="Suspension">
          <ActWithReasonButton
            label="Suspend"
            action={action}
            act="suspend"
            typed={typed}
            reader="Shown to the developer in a notice and on the application's page."
            consequences={`${formatCappedCount(users, "player loses", "players lose")} the application (${formatCappedCount(grants, "grant")}) at once, and nobody can approve it. Nothing is deleted: it can be resumed.`}
          />
        </Card>
      )}
    </>
  );
}

/** Leaves out proof and statements, which the page shows among the details. */
function RequestFacts({ application }: Pick<Props, "application">) {
  const { requestedAt, checklist, changes } = application;
  return (
    <div className="mb-4 grid gap-3">
      {requestedAt && (
        <p>
          Requested <Time at={requestedAt} />.
        </p>
      )}
      <Checklist items={checklist} />
      <div>
        <h3 className="font-medium">Changed since it was last verified</h3>
        {changes === null && <p className="text-sm text-ink-soft">It was never verified.</p>}
        {changes && Object.keys(changes).length === 0 && (
          <p className="text-sm text-ink-soft">Nothing.</p>
        )}
        {changes && <EventDetails details={changes} />}
      </div>
    </div>
  );
}
