import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { pageSettings } from "#app/_lib/settings";
import { exchangeSnippet } from "#app/_parts/client-snippets.tsx";
import { BareFrame } from "#app/_parts/page-frames.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { Countdown } from "#app/_ui/countdown.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { SecretOnce } from "#app/_ui/secret-once.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import type {
  CallbackError,
  CallbackView,
  LocalCallbackRelay,
} from "#server/oauth/authorize/read-callback";
import { ForwardToLocalhost, ReturnToPlayground } from "./_parts/hand-on";

// The address contains the code, so it must not reach other sites or search engines.
export const metadata: Metadata = {
  title: "Your code",
  referrer: "no-referrer",
  robots: { index: false },
};

/**
 * A redirect URI that needs no registration. It shows the code to copy, and can forward it to the
 * player's machine.
 */
export default async function HostedCallback({ params, searchParams }: PageProps<"clientId">) {
  const [code, state, iss, error] = await Promise.all(
    ["code", "state", "iss", "error"].map(async (name) =>
      (await readParam(searchParams, name))?.slice(0, 4_096),
    ),
  );
  const { clientId } = await params;
  const shown = await (await caller()).authorization.callback({
    clientId: clientId.slice(0, 100),
    sent: { code, state, iss, error },
  });
  return (
    <BareFrame>
      <ReturnToPlayground clientId={clientId} />
      <div className="grid gap-6">
        {shown ? <Answer shown={shown} /> : <Nothing />}
        {shown?.handOn && <ForOwner clientId={clientId} shown={shown} handOn={shown.handOn} />}
      </div>
    </BareFrame>
  );
}

function Answer({
  shown: { applicationName: application, answer, code },
}: {
  shown: CallbackView;
}) {
  const { outcome, state } = answer;
  if (outcome.kind === "nothing") return <Nothing />;
  if (outcome.kind === "code" && (!code || code.used || code.until <= code.now))
    return <Over application={application} used={code?.used === true} />;
  return (
    <>
      {outcome.kind === "code" && code ? (
        <Code application={application} code={outcome.code} {...code} />
      ) : (
        outcome.kind === "refused" && <Refused application={application} error={outcome.error} />
      )}
      {state !== null && (
        <KeyValueList
          items={[
            {
              label: "State",
              copy: state,
            },
          ]}
        />
      )}
    </>
  );
}

type ForOwnerProps = { clientId: string; shown: CallbackView; handOn: LocalCallbackRelay };

function ForOwner({ clientId, shown: { answer, code }, handOn }: ForOwnerProps) {
  const { outcome } = answer;
  const isLive = outcome.kind === "code" && code && !code.used && code.until > code.now;
  const { kind, hasVerifier, parameters } = handOn;
  return (
    <>
      {isLive && hasVerifier && (
        <Alert tone="neutral" title="Does a shell ask you for the code?">
          Paste the code there, after “Code:”. The commands that you started then exchange it and
          make the first call.
        </Alert>
      )}
      {isLive && !hasVerifier && (
        <Card
          title="Exchange it in a shell"
          description="Only you see this. Paste it into a shell, within a minute."
        >
          <CodeBlock
            label="Exchange"
            language="shell"
            code={exchangeSnippet({
              baseUrl: pageSettings().baseUrl,
              clientId,
              kind,
              code: outcome.code,
            })}
            wrap
          />
        </Card>
      )}
      <Card
        title="Send it to localhost"
        description={`Only you see this. ${outcome.kind === "code" ? "The code works once." : ""}`}
      >
        <ForwardToLocalhost clientId={clientId} parameters={parameters} />
      </Card>
    </>
  );
}

type CodeProps = { application: string; code: string; until: Date; now: Date };

function Code({ application, code, until, now }: CodeProps) {
  return (
    <>
      <PageHeader
        title={
          <>
            Copy this code into <bdi>{application}</bdi>
          </>
        }
        lead={
          <>
            Paste it into the application that sent you here.{" "}
            <Countdown
              until={until.getTime()}
              now={now.getTime()}
              label="It expires in"
              over="Expired. Connect again from the application."
            />
          </>
        }
      />
      <SecretOnce
        title={
          <>
            For <bdi>{application}</bdi> alone
          </>
        }
        note="If somebody else sent you a link and asks for this code, stop: with it they could act in your name."
        items={[{ label: "Code", value: code }]}
      />
    </>
  );
}

function Over({ application, used }: { application: string; used: boolean }) {
  return (
    <PageHeader
      title={used ? "This code has been used" : "This code has expired"}
      lead={
        <>
          {used ? "You can close this page. If something went wrong, connect" : "Connect"} again
          from <bdi>{application}</bdi>.
        </>
      }
    />
  );
}

function Refused({ application, error }: { application: string; error: CallbackError }) {
  const { title, sentence } = callbackErrorWords[error];
  return (
    <>
      <PageHeader
        title={title}
        lead={
          <>
            <bdi>{application}</bdi> got no access.{" "}
            {error === "access_denied" && "You can close this page."}
          </>
        }
      />
      <Alert
        tone={error === "access_denied" ? "neutral" : "bad"}
        title={error !== "other" && <code className="font-mono">{error}</code>}
      >
        {sentence}
      </Alert>
      <div className="flex flex-wrap gap-3">
        <LinkButton href="/account/apps">Connected apps</LinkButton>
        <LinkButton href="/docs/oauth">What the errors mean</LinkButton>
      </div>
    </>
  );
}

function Nothing() {
  return (
    <>
      <PageHeader
        title="There is no code here"
        lead="This page shows the code of an application that you have just approved. Start from the application."
      />
      <div>
        <LinkButton href="/">Home page</LinkButton>
      </div>
    </>
  );
}

interface Words {
  readonly title: string;
  readonly sentence: string;
}

const faulty = "The application's request was refused";
const developer =
  "Trying again does not help. Tell the developer, who finds the reason under Failures.";

/** Text from the address is never shown, so each error has its own words. */
const callbackErrorWords: Readonly<Record<CallbackError, Words>> = {
  access_denied: {
    title: "You denied access",
    sentence: "Start from the application if you change your mind.",
  },
  invalid_request: {
    title: faulty,
    sentence: `Its authorization link is incomplete or wrong. ${developer}`,
  },
  unauthorized_client: {
    title: faulty,
    sentence: `It may not ask for access in this way. ${developer}`,
  },
  unsupported_response_type: {
    title: faulty,
    sentence: `It asked for a response type that is not supported. ${developer}`,
  },
  invalid_scope: {
    title: faulty,
    sentence: `It asked for a permission that it is not registered for. ${developer}`,
  },
  server_error: {
    title: "Something went wrong on our side",
    sentence: "Start again from the application.",
  },
  temporarily_unavailable: {
    title: "The service is busy",
    sentence: "Wait a minute, then start again from the application.",
  },
  login_required: {
    title: "You are not signed in",
    sentence:
      "The application asked not to show you a page. Sign in here, then start again from the application.",
  },
  consent_required: {
    title: "You have not approved this yet",
    sentence:
      "The application asked not to show you a page. Start again from the application, and approve.",
  },
  other: {
    title: faulty,
    sentence: "The response has an unknown error. Start again from the application.",
  },
};
