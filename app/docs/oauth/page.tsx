import type { Metadata } from "next";
import { portalContext } from "#app/_lib/caller";
import { TextLink } from "#app/_ui/text-link.tsx";
import { DocPage, DocSection } from "../_parts/doc-page";
import { guides } from "../_parts/guides";
import { InlineCode } from "../_parts/with-code";
import { Asking } from "./_parts/asking";
import { Endings } from "./_parts/endings";
import { FlowFigure } from "./_parts/flow-figure";
import { guideFigures } from "./_parts/guide-figures";
import { Libraries } from "./_parts/libraries";
import { Tokens } from "./_parts/tokens";

export const metadata: Metadata = { title: guides["/docs/oauth"].title };

export default async function OAuthGuide() {
  const { settings } = (await portalContext()).context;
  const { baseUrl } = settings;
  const figures = guideFigures(settings);
  return (
    <DocPage
      {...guides["/docs/oauth"]}
      lead="The authorization code grant with PKCE, and refresh tokens for applications that keep a secret. Nothing else. Any standard client library works."
    >
      <FlowFigure />
      <DocSection id="kinds" title="Two kinds of application">
        <p className="text-ink-soft">
          <strong className="font-medium text-ink">Server-side</strong> applications keep a secret,
          authenticate with <InlineCode>client_secret_basic</InlineCode> and get refresh tokens. Up
          to two named secrets live at a time, so that one can be replaced without a pause.
        </p>
        <p className="text-ink-soft">
          <strong className="font-medium text-ink">Public</strong> applications run on the player's
          device, have no secret, must use PKCE and get no refresh token. An approval is remembered
          where the code goes to an https address of their own. They also have a hosted callback,{" "}
          <InlineCode>{baseUrl}/oauth/&lt;client_id&gt;/callback</InlineCode>, which shows the code
          to copy: there the player is asked each time, because anyone could use the ID.
        </p>
        <p className="text-ink-soft">
          Register your redirect URIs: at most {figures.redirectUris}, https, in full. For libraries
          with discovery:{" "}
          <TextLink href="/.well-known/oauth-authorization-server" document>
            /.well-known/oauth-authorization-server
          </TextLink>{" "}
          (RFC 8414). There is no ID token and no dynamic registration.
        </p>
      </DocSection>
      <Asking baseUrl={baseUrl} figures={figures} />
      <Tokens baseUrl={baseUrl} figures={figures} />
      <Endings baseUrl={baseUrl} figures={figures} />
      <Libraries />
    </DocPage>
  );
}
