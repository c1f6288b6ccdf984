import type { ReactNode } from "react";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import {
  failureReasonOf,
  fieldErrorsOf,
  nameOfFailure,
  remedyOfAttempt,
  remedyOfCall,
  remedyOfCode,
  sentenceOfFailure,
  WhatToDo,
} from "#app/(portal)/developers/_parts/describe-calls.tsx";
import {
  CallsTable,
  OAuthAttemptsTable,
} from "#app/(portal)/developers/apps/[clientId]/_parts/call-tables.tsx";
import { WithCode } from "#app/docs/_parts/with-code.tsx";
import { wordsOfAct } from "#server/audit/audit";
import { InvalidAuthenticationType, NoAuthenticationInformation } from "#server/failures";
import {
  type AuthorizationErrorWord,
  authorizationErrors,
} from "#server/oauth/authorize/authorization-messages";
import type { CallbackError } from "#server/oauth/authorize/read-callback";
import { unmatchedRoute } from "#server/oauth/clients/calls/call-filter";
import type { Diagnosis } from "#server/oauth/clients/diagnose";
import type { PostEndpoint } from "#server/oauth/clients/read-pasted";
import { openApiPath } from "#server/rest/path";
import {
  ApplicationLink,
  CallFindings,
  FailureLink,
  RequestFindings,
  SecretFindings,
} from "./examined";

export function DiagnosisResult({ found }: { found: Diagnosis }) {
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
      return <ErrorBody answer={found.answer} />;
    case "secret":
      return <SecretFindings found={found} />;
    case "api-call":
      return <CallFindings found={found} />;
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
          {method}{" "}
          {route === unmatchedRoute ? "an address that does not exist" : openApiPath(route)} was
          answered {status} <Time at={at} />.{" "}
          {failureCode !== null && <FailureLink code={failureCode} />} {tokenOfNobody(failureCode)}
          <WhatToDo text={remedyOfCode(failureCode)} />
        </Alert>
      );
    }
    case "success":
      return (
        <Alert tone="good" title={wordsOfAct(found.act)}>
          The request of <ApplicationLink of={found.application} /> succeeded <Time at={found.at} />
          .
        </Alert>
      );
    case "request":
      return <RequestFindings found={found} />;
    case "call":
      return (
        <Found
          title="An API call"
          application={found.application}
          why={failureReasonOf(found.call) ? undefined : sentenceOfFailure(found.call.failureCode)}
          faults={fieldErrorsOf(found.call)}
          todo={remedyOfCall(found.call)}
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
          <OAuthAttemptsTable attempts={[found.attempt]} />
        </Found>
      );
  }
}

function ErrorBody({ answer }: Pick<Extract<Diagnosis, { kind: "error-body" }>, "answer">) {
  const ofApi = "code" in answer;
  const todo = ofApi
    ? remedyOfCode(answer.code)
    : remedyOfAttempt({
        act: "token_request.refused",
        error: answer.error,
        description: answer.error_description ?? null,
      });
  return (
    <Alert
      tone="warn"
      title={ofApi ? `${answer.code} ${nameOfFailure(answer.code)}` : answer.error}
    >
      {ofApi && <p>{sentenceOfFailure(answer.code)}</p>}
      <WhatToDo text={todo} />
      <p>The response's X-Request-Id header says more: paste it here.</p>
    </Alert>
  );
}

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
  /** Keyed by field. */
  faults?: ReturnType<typeof fieldErrorsOf>;
  todo?: string | undefined;
  children: ReactNode;
};

const Found = ({ title, application, why, faults = [], todo, children }: FoundProps) => (
  <Card
    title={title}
    description={
      application ? (
        <>
          Of <ApplicationLink of={application} />.
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

/** Shown for a pasted address of an endpoint that is not the authorization endpoint. */
const endpointWords: Readonly<Record<PostEndpoint, { title: string; advice: string }>> = {
  token: {
    title: "This is the token endpoint",
    advice:
      "Your application calls it by POST with a form in the body. Each refused call is recorded with its exact reason. Players are sent to the authorization endpoint, not here.",
  },
  introspect: {
    title: "This is the introspection endpoint",
    advice: "Your application calls it by POST with a token in the body and its own credentials.",
  },
  revoke: {
    title: "This is the revocation endpoint",
    advice: "Your application calls it by POST with a token in the body.",
  },
};

const codeAdvice =
  "Exchange the code at the token endpoint within a minute, once, with the same redirect_uri and, if you sent a challenge, its verifier. Compare state with the one you stored before that.";

/** @returns a text with code in backticks */
function callbackAdvice(error: CallbackError): string {
  if (!isDocumented(error)) return rareErrors[error];
  const { cause, remedy } = authorizationErrors[error];
  return `${cause} ${remedy}`;
}

const isDocumented = (error: CallbackError): error is AuthorizationErrorWord =>
  Object.hasOwn(authorizationErrors, error);

/** Errors that the guide does not cover. */
const rareErrors: Readonly<Record<Exclude<CallbackError, AuthorizationErrorWord>, string>> = {
  unauthorized_client:
    "The application may not ask for access in this way. See the application's Failures for the exact reason.",
  server_error: "Something went wrong on our side. Send the player through again.",
  temporarily_unavailable:
    "The service was busy. Wait a minute, then send the player through again.",
  other: "This service sends no such error. Check where the response came from.",
};
