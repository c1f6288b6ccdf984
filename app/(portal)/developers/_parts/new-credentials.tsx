import { ConnectSamples } from "#app/_parts/client-snippets.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { SecretOnce } from "#app/_ui/secret-once.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { hostedCallbackUri } from "#server/oauth/redirect-uri";
import type { RouterOutputs } from "#server/portal/router";

type Props = {
  baseUrl: string;
  credentials: RouterOutputs["applications"]["create"];
  application: {
    kind: "confidential" | "public";
    redirectUris?: readonly string[];
    scopes?: readonly string[];
  };
};

export function NewCredentialsPanel({ baseUrl, credentials, application }: Props) {
  const { clientId, clientSecret } = credentials;
  const redirectUri = application.redirectUris?.[0] ?? hostedCallbackUri(baseUrl, clientId);
  const id = { label: "Client ID", value: clientId };
  return (
    <>
      {clientSecret === null ? (
        <SecretOnce
          made
          title="Registered. This application has an ID and no secret."
          note="The ID is safe to publish, also in code that players download."
          items={[id]}
        />
      ) : (
        <SecretOnce
          made
          title="Registered. Store the secret now: it is shown once."
          note="We only store a hash. If you lose it, create another one and delete this one."
          items={[id, { label: "Client secret", value: clientSecret }]}
        />
      )}
      <Alert title="In test: only you can approve it" tone="neutral">
        Before other players can,{" "}
        <TextLink href={`/developers/apps/${clientId}/settings`}>
          choose its scopes and say who you are and what happens to their data
        </TextLink>
        .
      </Alert>
      <ConnectSamples
        baseUrl={baseUrl}
        clientId={clientId}
        kind={application.kind}
        redirectUri={redirectUri}
        scopes={application.scopes ?? []}
      />
      <div className="flex flex-wrap gap-3">
        <LinkButton href={`/developers/apps/${clientId}`} variant="primary">
          Open the application
        </LinkButton>
        <LinkButton href="/docs/oauth">Read the OAuth guide</LinkButton>
        {application.kind === "public" && (
          <LinkButton href={`/developers/playground?client_id=${clientId}`}>
            Try it in the playground
          </LinkButton>
        )}
      </div>
    </>
  );
}
