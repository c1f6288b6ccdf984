import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { AttemptsTable } from "#app/(portal)/developers/apps/[clientId]/_parts/attempts-table.tsx";
import { CallsTable } from "#app/(portal)/developers/apps/[clientId]/_parts/calls-table.tsx";
import type { Diagnosis } from "#server/oauth/clients/diagnose";
import { Findings } from "./findings";

/** What the doctor found, whatever was pasted. */
export function Diagnosed({ found }: { found: Diagnosis }) {
  switch (found.kind) {
    case "unreadable":
      return (
        <Alert tone="warn" title="Not a URL or request ID">
          An authorization URL has a question mark and parameters. A request ID has 22 letters and digits: copy it from
          the X-Request-Id header or from the tables of calls and failures.
        </Alert>
      );
    case "no-own-application":
      return (
        <Alert tone="bad" title={found.clientId ? "No application of yours has this client_id" : "No client_id"}>
          Send exactly one client_id, as shown on the application's page. Players see an error page otherwise.
        </Alert>
      );
    case "no-such-call":
      return (
        <Alert tone="warn" title="No such request in the last seven days">
          It was not made by one of your applications, or it was an OAuth request that succeeded: successful OAuth
          requests aren't listed. Calls without a live token can't be matched to an application.
        </Alert>
      );
    case "request":
      return <Findings found={found} />;
    case "call":
    case "attempt": {
      const page = `/developers/apps/${found.application.clientId}`;
      return (
        <Card
          title={found.kind === "call" ? "An API call" : "A refused request"}
          description={
            <>
              Of <TextLink href={page}>{found.application.name}</TextLink>.
            </>
          }
          flush
        >
          {found.kind === "call" ? (
            <CallsTable calls={[found.call]} page={`${page}/requests`} filtered={false} />
          ) : (
            <AttemptsTable attempts={[found.attempt]} />
          )}
        </Card>
      );
    }
  }
}
