import { CodeBlock } from "#app/_ui/code-block.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { authorizationErrors } from "#server/oauth/authorize/authorization-response";
import { tokenErrors } from "#server/oauth/oauth-error";
import { DocSection } from "../../_parts/doc-page";
import { NamedTable } from "../../_parts/tables";
import { Prose } from "../../_parts/with-code";
import type { GuideFigures } from "./guide-figures";

const named = <Row extends object>(table: Readonly<Record<string, Row>>) =>
  Object.entries(table).map(([name, row]) => ({ name, ...row }));

type Props = { baseUrl: string; figures: GuideFigures };

export function Endings({ baseUrl, figures }: Props) {
  return (
    <>
      <DocSection id="revoke" title="Revoke">
        <CodeBlock
          language="http"
          label="Revocation"
          code={`POST ${baseUrl}/oauth/revoke\nAuthorization: Basic base64(client_id:client_secret)\nContent-Type: application/x-www-form-urlencoded\n\ntoken=…`}
        />
        <Prose>
          A refresh token ends that grant, with its access token; an access token ends alone. The
          answer is 200, also for a token that was never issued or is dead already (RFC 7009).
          Public applications send `client_id` in the body. Revoke when the player signs out of your
          application.
        </Prose>
      </DocSection>
      <DocSection id="introspect" title="Introspect">
        <Prose>
          `POST /oauth/introspect` tells a server-side application about its own tokens: `active`,
          `scope`, `client_id`, `sub` (the player's id in the game), `iss`, `iat`, `exp` (RFC 7662).
          Any other token is `active: false`, and so is one that is paused, suspended or banned. You
          rarely need it: a call shows the same.
        </Prose>
      </DocSection>
      <DocSection id="errors" title="Errors at your redirect URI">
        <NamedTable
          caption="Errors at the redirect URI"
          header="error"
          rows={named(authorizationErrors)}
          columns={[
            { header: "Cause", text: ({ cause }) => cause },
            { header: "Remedy", text: ({ remedy }) => remedy },
          ]}
        />
      </DocSection>
      <DocSection id="token-errors" title="Errors of token, revoke and introspect">
        <NamedTable
          caption="Errors of the token, revocation and introspection endpoints"
          header="error"
          rows={named(tokenErrors)}
          columns={[
            { header: "Status", text: ({ status }) => String(status), nowrap: true },
            { header: "Cause", text: ({ cause }) => cause },
            { header: "Remedy", text: ({ remedy }) => remedy },
          ]}
        />
        <p className="text-ink-soft">
          The API's own errors have codes: <TextLink href="/docs/errors">all of them</TextLink>.
        </p>
      </DocSection>
      <DocSection id="limits" title="Limits and other sites' scripts">
        <Prose>{`The authorization page takes ${figures.authorizations} from one address. Token, revocation and introspection take ${figures.clientCalls} for one application, and ${figures.clientFailures} that fail for one application from one address; somebody guessing secrets locks nobody else out. Bodies have at most ${figures.body}. Above: 429 with \`Retry-After\`, or 413.`}</Prose>
        <p className="text-ink-soft">
          Calls of the API have windows of their own:{" "}
          <TextLink href="/docs/limits">all limits</TextLink>.
        </p>
        <Prose>
          Scripts of any site may call `/oauth/token`, `/oauth/revoke`, the metadata and `/api/v1`
          (CORS, without credentials). The authorization page and introspection answer no other
          site's script.
        </Prose>
      </DocSection>
    </>
  );
}
