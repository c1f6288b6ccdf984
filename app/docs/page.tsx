import type { Metadata } from "next";
import { portalContext } from "#app/_lib/caller";
import { gameName } from "#app/_lib/settings";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { Steps } from "#app/_ui/steps.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { DocPage, DocSection } from "./_parts/doc-page";
import { guides } from "./_parts/guides";
import { InlineCode } from "./_parts/with-code";

export const metadata: Metadata = { title: guides["/docs"].title };

export default async function FirstSteps() {
  const { baseUrl } = (await portalContext()).context.settings;
  return (
    <DocPage
      {...guides["/docs"]}
      lead={`Adjutant answers calls about ${gameName()} players and factions, in the name of players who approved it. It uses plain OAuth 2.0 and JSON.`}
    >
      <DocSection id="three-commands" title="A first call in three commands">
        <p className="text-ink-soft">
          <TextLink href="/developers/new">Register an application</TextLink> first, or let the{" "}
          <TextLink href="/developers/playground">playground</TextLink> do all of this in your
          browser.
        </p>
        <Steps
          items={[
            {
              title: "Ask the player",
              body: "Open this URL in a browser. The player approves and returns to your redirect URI with a code.",
              content: (
                <CodeBlock
                  language="shell"
                  label="Ask"
                  wrap
                  code={`echo "${baseUrl}/oauth/authorize?response_type=code&client_id=$CLIENT_ID&redirect_uri=$REDIRECT_URI&scope=identity&state=$STATE"`}
                />
              ),
            },
            {
              title: "Exchange the code",
              body: "Within a minute. The reply holds the access token, and a refresh token where the application keeps a secret.",
              content: (
                <CodeBlock
                  language="shell"
                  label="Exchange"
                  code={`curl ${baseUrl}/oauth/token -u "$CLIENT_ID:$CLIENT_SECRET" \\\n  -d grant_type=authorization_code -d code="$CODE" \\\n  --data-urlencode redirect_uri="$REDIRECT_URI"`}
                />
              ),
            },
            {
              title: "Call",
              body: "Any endpoint that the token's scopes cover.",
              content: (
                <CodeBlock
                  language="shell"
                  label="Call"
                  code={`curl ${baseUrl}/api/v1/user -H "Authorization: Bearer $ACCESS_TOKEN"`}
                />
              ),
            },
          ]}
        />
      </DocSection>
      <DocSection id="good-to-know" title="Good to know">
        <ul className="grid list-disc gap-2 pl-5 text-ink-soft">
          <li>
            Times are integer Unix seconds; missing values are <InlineCode>null</InlineCode>.
          </li>
          <li>
            Integers are exact. <InlineCode>chat_id</InlineCode> has up to 64 bits: use a
            BigInt-safe JSON parser.
          </li>
          <li>
            Unknown fields may be added at any time; known ones stay. An endpoint that goes away
            says so in the headers <InlineCode>Deprecation</InlineCode> and{" "}
            <InlineCode>Sunset</InlineCode>, at least 180 days ahead.
          </li>
          <li>
            Every answer has an <InlineCode>X-Request-Id</InlineCode>. Quote it when you report
            something.
          </li>
          <li>
            The whole API as a document:{" "}
            <TextLink href="/api/openapi.json" document>
              OpenAPI 3.1
            </TextLink>
            . The provider's own:{" "}
            <TextLink href="/.well-known/oauth-authorization-server" document>
              RFC 8414 metadata
            </TextLink>
            .
          </li>
        </ul>
      </DocSection>
    </DocPage>
  );
}
