import type { Metadata } from "next";
import { readParam, type SearchParams } from "#lib/search-params";
import { Alert } from "#ui/alert";
import { BareShell } from "#ui/bare-shell";
import { KeyValueList } from "#ui/key-value-list";
import { LinkButton } from "#ui/link-button";
import { PageHeader } from "#ui/page-header";
import { SecretOnce } from "#ui/secret-once";
import { HandOver } from "./_parts/hand-over";

// The address carries the code: it goes to nobody, and no search engine keeps it.
export const metadata: Metadata = { title: "Your code", referrer: "no-referrer", robots: { index: false } };

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

/** The redirect URI of public applications that have none of their own: shows the code for the player to carry over. */
export default async function HostedCallback({ params, searchParams }: Props) {
  const [code, state, iss, error, errorDescription] = await Promise.all(
    ["code", "state", "iss", "error", "error_description"].map((name) => readParam(searchParams, name)),
  );
  const { clientId } = await params;
  return (
    <BareShell>
      <HandOver clientId={clientId} answer={{ code, state, iss, error, errorDescription }} />
      <div className="grid gap-6">
        {error !== undefined && <Refused error={error} description={errorDescription} state={state} />}
        {error === undefined && code !== undefined && <Code code={code} state={state} />}
        {error === undefined && code === undefined && (
          <>
            <PageHeader
              title="Nothing came along"
              lead="This page shows the code of an application that you have just approved. Start from the application."
            />
            <div>
              <LinkButton href="/">To the start</LinkButton>
            </div>
          </>
        )}
      </div>
    </BareShell>
  );
}

function Code({ code, state }: { code: string; state: string | undefined }) {
  return (
    <>
      <PageHeader title="Copy this code" lead="Paste it into the application that sent you here, within a minute." />
      <SecretOnce
        title="For that application alone"
        note="If somebody else sent you a link and asks for this code, stop: with it they could act in your name."
        items={[{ label: "Code", value: code }]}
      />
      {state !== undefined && (
        <KeyValueList
          items={[
            { label: "State", value: <code className="font-mono text-sm wrap-anywhere">{state}</code>, copy: state },
          ]}
        />
      )}
    </>
  );
}

type RefusedProps = { error: string; description: string | undefined; state: string | undefined };

function Refused({ error, description, state }: RefusedProps) {
  const denied = error === "access_denied";
  return (
    <>
      <PageHeader
        title={denied ? "You denied access" : "The application's request was refused"}
        lead={denied ? "The application got nothing. You can close this page." : "The application got nothing."}
      />
      <Alert tone={denied ? "neutral" : "bad"} title={<code className="font-mono">{error}</code>}>
        {description}
      </Alert>
      {state !== undefined && (
        <KeyValueList items={[{ label: "State", value: <code className="font-mono text-sm">{state}</code> }]} />
      )}
      <div className="flex flex-wrap gap-3">
        <LinkButton href="/account/apps">Connected apps</LinkButton>
        <LinkButton href="/docs/oauth">What the errors mean</LinkButton>
      </div>
    </>
  );
}
