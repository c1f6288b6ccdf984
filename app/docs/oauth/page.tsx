import type { Metadata } from "next";
import { portalContext } from "#lib/portal-context";
import { Alert } from "#ui/alert";
import { Card } from "#ui/card";
import { CodeBlock } from "#ui/code-block";
import { DataTable } from "#ui/data-table";
import { PageHeader } from "#ui/page-header";
import { TextLink } from "#ui/text-link";
import { DocSection } from "../_parts/doc-section";
import { durationInWords } from "../_parts/duration-in-words";
import { InlineCode } from "../_parts/inline-code";
import { WithCode } from "../_parts/with-code";

export const metadata: Metadata = { title: "OAuth guide" };

const parameters = [
  { name: "response_type", value: "`code`" },
  { name: "client_id", value: "Yours." },
  { name: "redirect_uri", value: "One that you registered, letter for letter." },
  { name: "scope", value: "Names separated by spaces; may be empty, must be there." },
  { name: "state", value: "Unguessable. Compare it when the player comes back, and stop where it differs." },
  { name: "code_challenge", value: "The S256 challenge. Public applications must send it, all others should." },
  { name: "code_challenge_method", value: "`S256`" },
  { name: "prompt", value: "Optional: `none`, `login` or `consent`." },
] as const;

const faults = [
  { name: "access_denied", means: "The player denied." },
  { name: "invalid_request", means: "A parameter is missing, repeated or malformed; the description says which." },
  { name: "invalid_scope", means: "An unknown scope, or one that the application is not registered for." },
  { name: "unauthorized_client", means: "The application may not do this, or it is suspended." },
  { name: "invalid_client", means: "Wrong secret, unknown application, or a secret where none belongs." },
  {
    name: "invalid_grant",
    means:
      "The code or refresh token is unknown, used, expired or revoked, or verifier or redirect URI differ. Ask the player again.",
  },
] as const;

export default async function OAuthGuide() {
  const { baseUrl, lifetimes } = (await portalContext()).context.settings;
  return (
    <div className="grid max-w-180 gap-10">
      <PageHeader
        title="OAuth guide"
        lead="The authorization code grant with PKCE, refresh tokens for applications that keep a secret, and nothing else. Any client library of the field works."
      />
      <DocSection id="kinds" title="Two kinds of application">
        <p className="text-ink-soft">
          <strong className="font-medium text-ink">Server-side</strong> applications keep a secret, authenticate with{" "}
          <InlineCode>client_secret_basic</InlineCode> and get refresh tokens.{" "}
          <strong className="font-medium text-ink">Public</strong> ones run on the player's device, have no secret, must
          use PKCE, get no refresh token, and the player is asked each time. They also have a hosted callback,{" "}
          <InlineCode>{baseUrl}/oauth/&lt;client_id&gt;/callback</InlineCode>, which shows the code to be copied.
        </p>
      </DocSection>
      <DocSection id="authorize" title="Ask">
        <CodeBlock
          language="http"
          label="Authorization request"
          wrap
          code={`GET ${baseUrl}/oauth/authorize\n  ?response_type=code&client_id=…&redirect_uri=…\n  &scope=identity&state=…&code_challenge=…&code_challenge_method=S256`}
        />
        <Card flush>
          <DataTable
            caption="Parameters of the authorization request"
            rows={parameters}
            rowKey={({ name }) => name}
            columns={[
              {
                key: "name",
                header: "Parameter",
                primary: true,
                cell: ({ name }) => <code className="font-mono text-sm">{name}</code>,
              },
              { key: "value", header: "Value", prose: true, cell: ({ value }) => <WithCode text={value} /> },
            ]}
          />
        </Card>
        <p className="text-ink-soft">
          The player comes back with <InlineCode>code</InlineCode>, <InlineCode>state</InlineCode> and{" "}
          <InlineCode>iss</InlineCode> (RFC 9207), or with <InlineCode>error</InlineCode>. A wrong client id or redirect
          URI is told to the player on a page of ours and never redirected.
        </p>
      </DocSection>
      <DocSection id="exchange" title="Exchange">
        <CodeBlock
          language="http"
          label="Token request"
          code={`POST ${baseUrl}/oauth/token\nAuthorization: Basic base64(client_id:client_secret)\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=authorization_code&code=…&redirect_uri=…&code_verifier=…`}
        />
        <p className="text-ink-soft">
          A code lives {durationInWords(lifetimes.code)} and works once; a second use ends what the first one got.
          Public applications send <InlineCode>client_id</InlineCode> in the body instead of the header.
        </p>
      </DocSection>
      <DocSection id="refresh" title="Refresh">
        <CodeBlock
          language="http"
          label="Refresh request"
          code={`POST ${baseUrl}/oauth/token\nAuthorization: Basic base64(client_id:client_secret)\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=refresh_token&refresh_token=…`}
        />
        <p className="text-ink-soft">
          Every refresh gives a new access token and a new refresh token; the old pair is dead. If the reply was lost,
          send the old refresh token again within {durationInWords(lifetimes.refreshReuse)}: you get the same reply.
          After that it counts as stolen, and the whole grant ends.
        </p>
        <Alert tone="warn">Store the new refresh token before you use the new access token.</Alert>
      </DocSection>
      <DocSection id="errors" title="Errors">
        <Card flush>
          <DataTable
            caption="OAuth errors"
            rows={faults}
            rowKey={({ name }) => name}
            columns={[
              {
                key: "name",
                header: "error",
                primary: true,
                cell: ({ name }) => <code className="font-mono text-sm">{name}</code>,
              },
              { key: "means", header: "Means", prose: true, cell: ({ means }) => means },
            ]}
          />
        </Card>
      </DocSection>
      <DocSection id="ends" title="End and inspect">
        <p className="text-ink-soft">
          <InlineCode>POST /oauth/revoke</InlineCode> ends a token (RFC 7009).{" "}
          <InlineCode>POST /oauth/introspect</InlineCode> tells a server-side application about its own tokens (RFC
          7662). Players end access under <TextLink href="/account/apps">Connected apps</TextLink>, at once. Where to
          find everything:{" "}
          <TextLink href="/.well-known/oauth-authorization-server" document>
            /.well-known/oauth-authorization-server
          </TextLink>
          .
        </p>
      </DocSection>
    </div>
  );
}
