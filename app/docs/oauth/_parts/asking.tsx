import { CodeBlock } from "#app/_ui/code-block.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { DocSection } from "../../_parts/doc-page";
import { NamedTable } from "../../_parts/tables";
import { Prose } from "../../_parts/with-code";
import type { GuideFigures } from "./guide-figures";

interface Parameter {
  readonly name: string;
  readonly value: string;
}

const parameters: readonly Parameter[] = [
  { name: "response_type", value: "`code`" },
  { name: "client_id", value: "Yours." },
  { name: "redirect_uri", value: "One you registered, exactly, even if there is only one." },
  { name: "scope", value: "Names separated by spaces. Required, may be empty." },
  {
    name: "state",
    value:
      "Required, unguessable. Compare it when the player returns, and stop if it differs. openid-client, oauth4webapi and the MCP SDK send none unless you give them one.",
  },
  {
    name: "code_challenge",
    value: "The S256 challenge. Public applications must send it, all others should.",
  },
  {
    name: "code_challenge_method",
    value: "`S256`, whenever there is a challenge. `plain` is refused.",
  },
  {
    name: "prompt",
    value:
      "Optional. `none`: answer without a page, or with an error. `login`: sign in again. `consent`: ask again. The last two can stand together.",
  },
];

type Props = { baseUrl: string; figures: GuideFigures };

export function Asking({ baseUrl, figures }: Props) {
  return (
    <>
      <DocSection id="authorize" title="Ask">
        <CodeBlock
          language="http"
          label="Authorization request"
          wrap
          code={`GET ${baseUrl}/oauth/authorize\n  ?response_type=code&client_id=…&redirect_uri=…\n  &scope=identity&state=…&code_challenge=…&code_challenge_method=S256`}
        />
        <NamedTable
          caption="Parameters of the authorization request"
          header="Parameter"
          rows={parameters}
          columns={[{ header: "Value", text: ({ value }) => value }]}
        />
        <Prose>{`Send the player's browser there with a GET; no parameter may stand twice. They have ${figures.request} to sign in and answer. They may allow it for ${figures.approvals}, or until they take it back.`}</Prose>
      </DocSection>
      <DocSection id="return" title="The player comes back">
        <CodeBlock
          language="http"
          label="Authorization response"
          wrap
          code={`GET https://your.example/callback?code=…&state=…&iss=${encodeURIComponent(baseUrl)}\nGET https://your.example/callback?error=access_denied&error_description=…&state=…&iss=${encodeURIComponent(baseUrl)}`}
        />
        <Prose>{`Both carry \`iss\` (RFC 9207). Compare \`state\` with the one in the player's session and \`iss\` with \`${baseUrl}\` before you look at anything else: together they stop answers that were meant for somebody else or made up by another provider.`}</Prose>
        <Prose>
          Your callback may redirect on, to another origin or to an app's own scheme such as
          `myapp://signed-in`. Our pages set no `form-action`, so the browser follows each of these
          redirects.
        </Prose>
        <Prose>
          A pop-up works: our pages keep `window.opener`. Open it without `noopener`, and hand the
          answer over from your callback with `postMessage` to your own origin.
        </Prose>
        <Prose>
          A missing or unknown client ID and an unregistered redirect URI are shown to the player on
          our page and never redirected, because the target cannot be trusted.
        </Prose>
      </DocSection>
      <DocSection id="localhost" title="Working on localhost">
        <Prose>{`Redirect URIs are https, but you need no tunnel: use the hosted callback \`${baseUrl}/oauth/<client_id>/callback\` as \`redirect_uri\`, in the request and in the exchange. Every application has it. After you approve, its page sends the code, \`state\` and \`iss\` on to an address of your machine, for example \`http://localhost:3000/callback\`, when you click.`}</Prose>
        <Prose>
          Only the owner of the application, signed in here, sees that link. Of a server-side
          application nobody else can approve such a request: register an https redirect URI before
          other players use it.
        </Prose>
      </DocSection>
      <DocSection id="scopes" title="Scopes, and asking for more later">
        <p className="text-ink-soft">
          <TextLink href="/docs/scopes">All scopes</TextLink>. Ask for what the next step needs, not
          for everything you may ever need.
        </p>
        <ul className="grid list-disc gap-2 pl-5 text-ink-soft">
          <li>
            A server-side application that asks for no more than before gets its code at once,
            without a page. If it asks for more, the player is asked for the new scopes only;
            earlier ones stay.
          </li>
          <li>
            A scope that you mark as optional in the application's settings can be left out by the
            player. Read <code className="font-mono text-sm">scope</code> in the token reply: it
            always says what was granted.
          </li>
          <li>
            A player can narrow, pause and end what they allowed under{" "}
            <TextLink href="/account/apps">Connected apps</TextLink>, at once. Calls then answer
            403, or 401 where access has ended.
          </li>
        </ul>
      </DocSection>
    </>
  );
}
