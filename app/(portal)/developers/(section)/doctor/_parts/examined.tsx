import { escapeInvisible } from "#app/_lib/format";
import { Alert } from "#app/_ui/alert.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import {
  nameOfFailure,
  remedyOfCode,
  tokenRemedies,
  WhatToDo,
} from "#app/(portal)/developers/_parts/describe-calls.tsx";
import { WithCode } from "#app/docs/_parts/with-code.tsx";
import type { Diagnosis, ExaminedToken, TokenState } from "#server/oauth/clients/diagnose";
import { startAgainAdvice } from "#server/oauth/oauth-error";
import type { SecretKind } from "#server/platform/secret-text";
import { openApiPath } from "#server/rest/path";

type Secret = Extract<Diagnosis, { kind: "secret" }>;

const malformedAdvice =
  "Its checksum is wrong: it is mistyped or cut off. Compare it with what the response said, to the last character.";
const unknownAdvice =
  "No application of yours holds it: it was never issued, it ended more than a day ago, or it is another developer's.";

export function SecretFindings({ found: { secret, application, token } }: { found: Secret }) {
  const name = secretNames[secret.kind];
  if (secret.hashes.length === 0)
    return (
      <Alert tone="bad" title={`${name} that is damaged`}>
        {malformedAdvice}
      </Alert>
    );
  if (secret.kind === "clientSecret")
    return (
      <Alert tone="warn" title={name}>
        Your application's page lists its secrets and when each was last used. If this one was seen
        by anybody else, create a new one there and delete it.
      </Alert>
    );
  if (!token)
    return (
      <Alert tone="warn" title={`${name} of none of your applications`}>
        {unknownAdvice}
      </Alert>
    );
  return (
    <Alert tone={token.state === "live" ? "good" : "bad"} title={name}>
      <TokenFacts token={token} application={application} />
      {token.state !== "live" && <WhatToDo text={todoOfState(secret.kind, token.state)} />}
    </Alert>
  );
}

type Facts = { token: NonNullable<Secret["token"]>; application: Secret["application"] };

const TokenFacts = ({ token, application }: Facts) => (
  <p>
    {application && (
      <>
        It belongs to <ApplicationLink of={application} />.{" "}
      </>
    )}
    {token.state === "live" ? (
      <WithCode text={`It has ${scopesInWords(token)}`} />
    ) : (
      endedStates[token.state].word
    )}
    {token.expiresAt && (token.state === "live" || token.state === "expired") && (
      <>
        {token.state === "live" ? " and expires " : ": "}
        <Time at={token.expiresAt} />
      </>
    )}
    .
  </p>
);

export function CallFindings({ found }: { found: Extract<Diagnosis, { kind: "api-call" }> }) {
  const { method, path, failureCode, missing, allow, secret, token, application } = found;
  const title = `${method} ${openApiPath(path)}`;
  if (failureCode === null && !token)
    return (
      <Alert tone="warn" title={title}>
        The endpoint exists, but its token is not known. {unknownAdvice} A call with a token that is
        not live is answered <FailureLink code={4002} />.
      </Alert>
    );
  const facts = token && secret && <TokenFacts token={token} application={application} />;
  if (failureCode === null)
    return (
      <Alert tone="good" title={title}>
        The endpoint exists, and its token may call it. If the call fails all the same, paste the
        request ID of its response.
        {facts}
      </Alert>
    );
  return (
    <Alert tone="bad" title={title}>
      <p>
        It would be answered <FailureLink code={failureCode} />.{" "}
        {allow === null && (
          <>
            <TextLink href="/docs/api">The reference lists every endpoint</TextLink>.
          </>
        )}
        {allow !== null && !allow.split(", ").includes(method) && `This path allows ${allow}.`}
        {missing.length > 0 && `Missing: ${missing.join(", ")}.`}
        {secret?.hashes.length === 0 && malformedAdvice}
      </p>
      {facts}
      <WhatToDo
        text={
          token && token.state !== "live"
            ? todoOfState("access", token.state)
            : remedyOfCode(failureCode)
        }
      />
    </Alert>
  );
}

export const ApplicationLink = ({ of }: { of: NonNullable<Secret["application"]> }) => (
  <TextLink href={`/developers/apps/${of.clientId}`}>{of.name}</TextLink>
);

export const FailureLink = ({ code }: { code: number }) => (
  <TextLink href={`/docs/errors/${code}`}>
    {code} {nameOfFailure(code)}
  </TextLink>
);

const secretNames: Readonly<Record<SecretKind, string>> = {
  access: "An access token",
  refresh: "A refresh token",
  code: "An authorization code",
  clientSecret: "A client secret",
};

type EndedState = Exclude<TokenState, "live">;

/** In these texts, backticks mark code. */
const endedStates: Readonly<
  Record<EndedState, { word: string; todo: string | ((kind: SecretKind) => string) }>
> = {
  expired: {
    word: "It has expired",
    todo: (kind) => (kind === "access" ? tokenRemedies.expired : startAgainAdvice),
  },
  used: {
    word: "It was used",
    todo: (kind) =>
      kind === "code"
        ? `A code works once: use the tokens that it was exchanged for. ${startAgainAdvice}`
        : "Use the refresh token of the newest response.",
  },
  replaced: {
    word: "It was replaced by a refresh, or revoked by your application",
    todo: tokenRemedies.replaced,
  },
  revoked: { word: "The access was revoked", todo: tokenRemedies.revoked },
  ended: { word: "The access has ended", todo: tokenRemedies.revoked },
  paused: {
    word: "The player has paused the application",
    todo: "Keep the tokens: they work again when the player resumes.",
  },
  suspended: {
    word: "The application is suspended",
    todo: "An admin suspended it. The reason is in your notices.",
  },
  banned: { word: "The player's account is banned", todo: tokenRemedies.revoked },
};

function todoOfState(kind: SecretKind, state: EndedState): string {
  const { todo } = endedStates[state];
  return typeof todo === "string" ? todo : todo(kind);
}

/** A code or refresh token shows the scopes of the access token that it yields. */
const scopesInWords = ({ scopes }: ExaminedToken): string =>
  scopes.length === 0 ? "no scope" : scopes.map((scope) => `\`${scope}\``).join(", ");

type FindingsProps = { found: Extract<Diagnosis, { kind: "request" }> };

export function RequestFindings({ found }: FindingsProps) {
  const { application, addressFault, findings, ignored, corrected } = found;
  const faults = findings.filter(({ fault }) => fault !== null).length + (addressFault ? 1 : 0);
  const shown = findings.filter(({ parameters, fault, sent }) => {
    const rare = parameters.length === 0 || parameters.includes("request");
    return fault !== null || sent !== null || !rare;
  });
  return (
    <>
      {faults === 0 ? (
        <Alert tone="good" title="The request is correct">
          Players are asked to sign in or to approve.
        </Alert>
      ) : (
        <Alert tone="bad" title={faults === 1 ? "One error" : `${faults} errors`}>
          {addressFault ?? "Players won't see the consent page. Here is why."}
        </Alert>
      )}
      {corrected && (
        <Card
          title="Corrected URL"
          description={
            corrected.missing.length === 0
              ? "All errors are fixed."
              : `Your application still has to add: ${corrected.missing.join(", ")}.`
          }
          footer={
            corrected.leftOut.length > 0 && (
              <span className="wrap-anywhere">
                Left out: {escapeInvisible(corrected.leftOut.join(", "))}. The application is not
                registered for it.
              </span>
            )
          }
        >
          <CodeBlock code={corrected.url} label="Corrected URL" wrap />
        </Card>
      )}
      <TableCard
        title="Parameters"
        caption="Parameters and their rules"
        description={
          <>
            Of <ApplicationLink of={application} />, checked in the order the endpoint uses.
          </>
        }
        footer={
          ignored.length > 0 && (
            <span className="wrap-anywhere">Ignored: {escapeInvisible(ignored.join(", "))}.</span>
          )
        }
        rows={shown}
        rowKey={({ parameters }) => parameters.join(" ")}
        columns={[
          {
            header: "Parameter",
            primary: true,
            cell: ({ parameters }) => (
              <code className="grid font-mono text-sm">
                {parameters.length === 0
                  ? "all"
                  : parameters.map((name) => <span key={name}>{name}</span>)}
              </code>
            ),
          },
          {
            header: "Result",
            nowrap: true,
            unlabelled: true,
            cell: ({ fault, advice }) => {
              if (fault) return <Status tone="bad">Error</Status>;
              return advice ? (
                <Status tone="warn">Advice</Status>
              ) : (
                <Status tone="good">Correct</Status>
              );
            },
          },
          {
            header: "Rule, and what was sent",
            prose: true,
            cell: ({ rule, fault, advice, sent }) => (
              <span className="grid gap-0.5">
                {fault && <span className="text-bad">{fault}</span>}
                {!fault && advice && <span className="text-warn">{advice}</span>}
                <span className="text-ink-soft">{rule}</span>
                {sent !== null && (
                  <code className="text-xs wrap-anywhere text-ink-faint">
                    Sent: {escapeInvisible(sent)}
                  </code>
                )}
              </span>
            ),
          },
        ]}
      />
    </>
  );
}
