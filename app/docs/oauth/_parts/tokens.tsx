import { Alert } from "#app/_ui/alert.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { DocSection } from "../../_parts/doc-page";
import { NamedTable } from "../../_parts/tables";
import { Prose } from "../../_parts/with-code";
import type { GuideFigures } from "./guide-figures";

interface Outcome {
  readonly name: string;
  readonly so: string;
}

type Props = { baseUrl: string; figures: GuideFigures };

const form =
  "Authorization: Basic base64(client_id:client_secret)\nContent-Type: application/x-www-form-urlencoded";

export function Tokens({ baseUrl, figures }: Props) {
  return (
    <>
      <DocSection id="exchange" title="Exchange">
        <CodeBlock
          language="http"
          label="Token request"
          code={`POST ${baseUrl}/oauth/token\n${form}\n\ngrant_type=authorization_code&code=…&redirect_uri=…&code_verifier=…`}
        />
        <CodeBlock
          language="json"
          label="Token reply"
          code={`{\n  "access_token": "adj_at_…",\n  "token_type": "Bearer",\n  "expires_in": ${figures.accessSeconds},\n  "refresh_token": "adj_rt_…",\n  "scope": "identity"\n}`}
        />
        <Prose>{`A code lives ${figures.code} and works once. A request that is refused (wrong secret, verifier or redirect URI) does not use it up. The same code again within ${figures.duplicate} is only refused; later, it ends what the first one got, because two parties hold it.`}</Prose>
        <Prose>
          Public applications send `client_id` in the body and no header. Server-side ones need not
          repeat it, nor `scope`. A secret in the body is refused; see how to switch your library to
          Basic below.
        </Prose>
      </DocSection>
      <DocSection id="call" title="Call">
        <CodeBlock
          language="http"
          label="A call"
          code={`GET ${baseUrl}/api/v1/user\nAuthorization: Bearer adj_at_…`}
        />
        <Prose>{`An access token lives ${figures.access}, that of a public application ${figures.accessPublic}; \`expires_in\` says it in seconds. It is read from the header alone. Treat it as opaque text. On 401 refresh once, and if that is \`invalid_grant\`, ask the player again.`}</Prose>
      </DocSection>
      <DocSection id="refresh" title="Refresh">
        <CodeBlock
          language="http"
          label="Refresh request"
          code={`POST ${baseUrl}/oauth/token\n${form}\n\ngrant_type=refresh_token&refresh_token=…`}
        />
        <Prose>{`Every refresh gives a new access token and a new refresh token; the old pair is dead at once. Other grants of the player are not touched. A refresh token ends after ${figures.refreshIdle} unused, ${figures.refreshMax} after the approval, or when the player's approval ends, whichever comes first.`}</Prose>
        <Alert tone="warn">Store the new refresh token before you use the new access token.</Alert>
        <NamedTable
          caption="The old refresh token again"
          header="The old refresh token again"
          words
          rows={replays(figures)}
          columns={[{ header: "What happens", text: ({ so }) => so }]}
        />
        <Prose>
          `scope` may name fewer scopes than were granted, for one access token; the next refresh
          has them all again.
        </Prose>
      </DocSection>
      <DocSection id="retries" title="Retries">
        <NamedTable
          caption="What may be sent again"
          header="No answer, or 5xx, to"
          words
          rows={retries(figures)}
          columns={[{ header: "Do", text: ({ so }) => so }]}
        />
      </DocSection>
    </>
  );
}

const replays = ({ reuse }: GuideFigures): Outcome[] => [
  {
    name: `within ${reuse}`,
    so: "The same reply again, for a client that lost it or sent two requests at once, as long as nobody has used the new refresh token.",
  },
  {
    name: `within ${reuse}, its successor used`,
    so: "`invalid_grant`. The newer tokens stay alive.",
  },
  {
    name: "later",
    so: "`invalid_grant`, and that grant ends: the token is in two hands. The player and you get a notice.",
  },
];

const retries = ({ reuse }: GuideFigures): Outcome[] => [
  {
    name: "the exchange",
    so: "Send the player through the flow again; a server-side application gets its code without a question. Do not send the code a second time: if the first request arrived, that ends its tokens.",
  },
  {
    name: "a refresh",
    so: `Send the same request again, within ${reuse}. You get the same reply.`,
  },
  { name: "revocation, introspection", so: "Send it again." },
  { name: "a GET of the API", so: "Send it again, after `Retry-After` where there is one." },
];
