import { Card } from "#ui/card";
import { DataTable } from "#ui/data-table";
import { TextLink } from "#ui/text-link";
import { Section } from "./section";

const parameters = [
  { name: "response_type", value: "code", need: "always" },
  { name: "client_id", value: "Of your application.", need: "always" },
  { name: "redirect_uri", value: "Exactly as registered, letter for letter.", need: "always" },
  { name: "scope", value: "Names separated by spaces. May be empty.", need: "always" },
  { name: "state", value: "A random value that you compare when the player comes back.", need: "always" },
  {
    name: "code_challenge",
    value: "SHA-256 of the verifier, base64url, 43 characters.",
    need: "public clients; better always",
  },
  { name: "code_challenge_method", value: "S256", need: "with code_challenge" },
] as const;

/** How an application gets a player's permission, and a token for it. */
export function Authorization() {
  return (
    <Section id="authorization" title="Authorization">
      <p className="max-w-prose text-ink-soft">
        OAuth 2.0 with the authorization code grant (RFC 6749), PKCE (RFC 7636) and rotating refresh tokens. A client
        library configures itself from the{" "}
        <TextLink href="/.well-known/oauth-authorization-server">server metadata</TextLink> (RFC 8414).
      </p>
      <Card title="Authorization request" description="Send the player's browser to /oauth/authorize." level={3} flush>
        <DataTable
          caption="Parameters of the authorization request"
          rows={parameters}
          rowKey={(parameter) => parameter.name}
          columns={[
            {
              key: "name",
              header: "Parameter",
              primary: true,
              cell: (parameter) => <code className="font-mono">{parameter.name}</code>,
            },
            { key: "value", header: "Value", prose: true, cell: (parameter) => parameter.value },
            { key: "need", header: "Needed", prose: true, cell: (parameter) => parameter.need },
          ]}
        />
      </Card>
      <div className="grid max-w-prose gap-3 text-ink-soft">
        <p>
          The player comes back to the redirect URI with <code className="font-mono text-sm">code</code>,{" "}
          <code className="font-mono text-sm">state</code> and <code className="font-mono text-sm">iss</code>, or with{" "}
          <code className="font-mono text-sm">error</code>. A public client may use the hosted callback{" "}
          <code className="font-mono text-sm wrap-anywhere">/oauth/&lt;client_id&gt;/callback</code>, which shows the
          code.
        </p>
        <p>
          Exchange the code within a minute at <code className="font-mono text-sm">/oauth/token</code>, as a form. An
          application with a secret authenticates with Basic; a public client sends its{" "}
          <code className="font-mono text-sm">client_id</code> and{" "}
          <code className="font-mono text-sm">code_verifier</code>.
        </p>
        <p>
          A refresh token works once and brings its successor. Present an old one later than half a minute after its
          use, and the whole grant ends: somebody else may have it.
        </p>
      </div>
    </Section>
  );
}
