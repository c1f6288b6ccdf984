import type { ReactNode } from "react";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import {
  faultsOfFields,
  nameOfFailure,
  reasonOf,
  sentenceOfFailure,
} from "#app/(portal)/developers/_parts/describe-calls";
import {
  todoOfAttempt,
  todoOfCall,
  todoOfCode,
  WhatToDo,
} from "#app/(portal)/developers/_parts/what-to-do.tsx";
import { AttemptsTable } from "#app/(portal)/developers/apps/[clientId]/_parts/attempts-table.tsx";
import { CallsTable } from "#app/(portal)/developers/apps/[clientId]/_parts/calls-table.tsx";
import { WithCode } from "#app/docs/_parts/with-code.tsx";
import { wordsOfAct } from "#server/audit/audit";
import { InvalidAuthenticationType, NoAuthenticationInformation } from "#server/failures";
import { unmatchedRoute } from "#server/oauth/clients/calls/log-entries";
import type { Diagnosis } from "#server/oauth/clients/diagnose";
import { braced } from "#server/rest/path";
import { ExaminedCall, ExaminedSecret } from "./examined";
import { Findings } from "./findings";
import { callbackAdvice, codeAdvice, endpointWords } from "./pasted-urls";

export function Diagnosed({ found }: { found: Diagnosis }) {
  switch (found.kind) {
    case "unreadable":
      return (
        <Alert tone="warn" title="Not a URL, token or request ID">
          An authorization URL has a question mark and parameters, and a token begins with adj_. A
          request ID has 22 letters and digits: copy it from the X-Request-Id header or from the
          tables of calls and failures.
        </Alert>
      );
    case "endpoint":
      return (
        <Alert tone="warn" title={endpointWords[found.endpoint].title}>
          {endpointWords[found.endpoint].advice} If a call of yours was refused, paste its request
          ID.
        </Alert>
      );
    case "error-body":
      return (
        <Alert
          tone="warn"
          title={
            typeof found.code === "number"
              ? `${found.code} ${nameOfFailure(found.code)}`
              : found.code
          }
        >
          {typeof found.code === "number" && <p>{sentenceOfFailure(found.code)}</p>}
          <WhatToDo
            text={
              typeof found.code === "number"
                ? todoOfCode(found.code)
                : todoOfAttempt({
                    act: "token_request.refused",
                    error: found.code,
                    description: found.description,
                  })
            }
          />
          <p>The response's X-Request-Id header says more: paste it here.</p>
        </Alert>
      );
    case "secret":
      return <ExaminedSecret found={found} />;
    case "api-call":
      return <ExaminedCall found={found} />;
    case "callback":
      return (
        <Alert
          tone={found.error === null ? "good" : "bad"}
          title={found.error ?? "The player approved"}
        >
          <WithCode text={found.error === null ? codeAdvice : callbackAdvice(found.error)} />{" "}
          {!found.isOurs &&
            "The iss parameter does not name this service: the response may come from another one."}{" "}
          <TextLink href="/docs/oauth#errors">What the errors mean</TextLink>
        </Alert>
      );
    case "no-own-application":
      return (
        <Alert
          tone="bad"
          title={found.clientId ? "No application of yours has this client_id" : "No client_id"}
        >
          Send exactly one client_id, as shown on the application's page. Players see an error page
          otherwise.
        </Alert>
      );
    case "no-such-call":
      if (found.isNew)
        return (
          <Alert tone="warn" title="Not recorded yet">
            The ID is a few seconds old, and calls are recorded a moment after their response. Check
            again.
          </Alert>
        );
      if (found.made)
        return (
          <Alert tone="warn" title="Nothing is recorded of this request">
            <p>
              Its ID was made <Time at={found.made} />. Either it was made by somebody else's
              application, or it was one of these, which aren't recorded:
            </p>
            <ul className="mt-1.5 list-disc pl-5">
              <li>a page or a form of this site, or the OpenAPI document</li>
              <li>
                an authorization request answered 429 (too many from one address) or 405 (not GET)
              </li>
              <li>refused token requests beyond 20 a minute from one address</li>
              <li>an introspection or revocation that succeeded</li>
            </ul>
          </Alert>
        );
      return (
        <Alert tone="warn" title="No such request">
          It was not made by one of your applications, or it is older than we search: 30 days, or
          seven days for an ID that a proxy gave it.
        </Alert>
      );
    case "nobodys-call": {
      const { method, route, status, failureCode, at } = found.call;
      return (
        <Alert tone="warn" title="A call without a token of any application">
          {method} {route === unmatchedRoute ? "an address that does not exist" : braced(route)} was
          answered {status} <Time at={at} />.{" "}
          {failureCode !== null && (
            <TextLink href={`/docs/errors/${failureCode}`}>
              {failureCode} {nameOfFailure(failureCode)}
            </TextLink>
          )}{" "}
          {tokenOfNobody(failureCode)}
          <WhatToDo text={todoOfCode(failureCode)} />
        </Alert>
      );
    }
    case "success":
      return (
        <Alert tone="good" title={wordsOfAct(found.act)}>
          The request of{" "}
          <TextLink href={`/developers/apps/${found.application.clientId}`}>
            {found.application.name}
          </TextLink>{" "}
          succeeded <Time at={found.at} />.
        </Alert>
      );
    case "request":
      return <Findings found={found} />;
    case "call":
      return (
        <Found
          title="An API call"
          application={found.application}
          why={reasonOf(found.call) ? undefined : sentenceOfFailure(found.call.failureCode)}
          faults={faultsOfFields(found.call)}
          todo={todoOfCall(found.call)}
        >
          <CallsTable
            calls={[found.call]}
            page={`/developers/apps/${found.application.clientId}/requests`}
            filtered={false}
          />
        </Found>
      );
    case "attempt":
      return (
        <Found title="A refused request" application={found.application}>
          <AttemptsTable attempts={[found.attempt]} />
        </Found>
      );
  }
}

/** As far as the failure shows. */
function tokenOfNobody(failureCode: number | null): string {
  if (failureCode === NoAuthenticationInformation.code) return "It carried no token.";
  if (failureCode === InvalidAuthenticationType.code)
    return "Its Authorization header was none of the type Bearer.";
  return "Its token was never issued, or ended more than a day before; or it had none.";
}

type FoundProps = {
  title: string;
  application: { clientId: string; name: string } | null;
  why?: string | undefined;
  /** By field. */
  faults?: ReturnType<typeof faultsOfFields>;
  todo?: string | undefined;
  children: ReactNode;
};

const Found = ({ title, application, why, faults = [], todo, children }: FoundProps) => (
  <Card
    title={title}
    description={
      application ? (
        <>
          Of{" "}
          <TextLink href={`/developers/apps/${application.clientId}`}>{application.name}</TextLink>.
        </>
      ) : (
        "It named no application that exists."
      )
    }
    footer={
      (why !== undefined || todo !== undefined || faults.length > 0) && (
        <div className="grid gap-1">
          {why !== undefined && <p>{why}</p>}
          {faults.map(({ field, message }) => (
            <p key={field}>
              <code className="text-xs">{field}</code>: {message}
            </p>
          ))}
          <WhatToDo text={todo} />
        </div>
      )
    }
    flush
  >
    {children}
  </Card>
);
