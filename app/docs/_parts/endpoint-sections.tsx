import { formatDuration } from "#app/_lib/format";
import { signInPath } from "#app/_lib/sign-in-path";
import { snippetsUpTo } from "#app/_parts/client-snippets.tsx";
import { holdsScope } from "#app/_parts/playground/operations";
import { Badge } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeTabs } from "#app/_ui/code-tabs.tsx";
import { SelectField } from "#app/_ui/field.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { ApplicationChoice } from "#server/oauth/clients/own-applications";
import type { Rates } from "#server/platform/environment-variables";
import type { Endpoint } from "#server/rest/endpoint";
import type { EndpointDescription } from "./describe-endpoint";
import type { EndpointSamples } from "./endpoint-samples";
import { InlineCode } from "./with-code";

type EndpointFactsProps = {
  endpoint: Endpoint;
  addresses: Pick<EndpointDescription, "path" | "alias" | "pathParameters">;
  rates: Rates;
};

export function EndpointFacts({ endpoint, addresses, rates }: EndpointFactsProps) {
  const { method, scopes, limit, cache, etag, idempotent } = endpoint;
  const { path, alias, pathParameters } = addresses;
  const address = (text: string) => (
    <code className="text-sm">
      <strong className="font-semibold">{method}</strong> {text}
    </code>
  );
  return (
    <Card>
      <KeyValueList
        items={[
          { label: "Path", value: address(path), copy: path },
          ...(alias ? [{ label: "Also at", value: address(alias), copy: alias }] : []),
          ...pathParameters.map(({ name, kind, description }) => ({
            label: name,
            value: `${description} ${kind === "int" ? "An integer from 1 up." : "Text."}`.trim(),
          })),
          {
            label: "Scopes",
            wide: true,
            value:
              scopes.length === 0 ? (
                "None; any live token works"
              ) : (
                <span className="flex flex-wrap items-center gap-1.5">
                  {scopes.map((scope) => (
                    <Badge key={scope} tone="accent">
                      {scope}
                    </Badge>
                  ))}
                  {scopes.some((scope) => scope.startsWith("faction:")) && (
                    <span className="text-sm text-ink-soft">or faction</span>
                  )}
                </span>
              ),
          },
          {
            label: "Limit",
            wide: true,
            value: (
              <>
                {limit ? `${rates[limit.setting]} a minute, besides the ` : "The "}
                <TextLink href="/docs/limits">general limit</TextLink>
              </>
            ),
          },
          ...(cache
            ? [
                {
                  label: "Cached",
                  wide: true,
                  value:
                    "seconds" in cache
                      ? `Up to ${formatDuration(cache.seconds)}`
                      : "Until it changes",
                },
              ]
            : []),
          ...(etag ? [{ label: "ETag", value: "Yes; If-None-Match is supported" }] : []),
          ...(idempotent
            ? [{ label: "Idempotency-Key", value: "Accepted, remembered for 24 hours" }]
            : []),
        ]}
      />
    </Card>
  );
}

interface YourApplicationProps {
  readonly endpoint: Endpoint;
  /** Newest first; undefined without a session. */
  readonly own: readonly ApplicationChoice[] | undefined;
  /** Client ID of the one to show. */
  readonly asked: string | undefined;
  readonly page: string;
  readonly baseUrl: string;
  readonly samples: EndpointSamples;
}

/** All steps to the call, with the reader's client ID and redirect URI, without the secret. */
export function YourApplication({
  endpoint: { scopes },
  own,
  asked,
  page,
  baseUrl,
  samples,
}: YourApplicationProps) {
  if (!own)
    return (
      <p className="text-ink-soft">
        <TextLink href={signInPath({ next: `${page}#your-application` })}>Sign in</TextLink> to get
        the whole flow up to this call, with the client ID and redirect URI of your application
        filled in.
      </p>
    );
  const holds = (application: ApplicationChoice) =>
    scopes.every((scope) => holdsScope(scope, application.scopes));
  const chosen = own.find(({ clientId }) => clientId === asked) ?? own.find(holds) ?? own[0];
  if (!chosen)
    return (
      <p className="text-ink-soft">
        <TextLink href="/developers/new">Register an application</TextLink>, and the whole flow up
        to this call appears here with its client ID filled in.
      </p>
    );
  const [curl, typescript, python] = samples;
  const call = { curl: curl.code, typescript: typescript.code, python: python.code };
  return (
    <>
      {own.length > 1 && (
        <form action={`${page}#your-application`} className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 max-sm:w-full">
            <SelectField
              id="shown-application"
              name="application"
              label="Application"
              defaultValue={chosen.clientId}
              options={own.map(({ clientId, name }) => ({ value: clientId, label: name }))}
              required={false}
              note=""
            />
          </div>
          <Button type="submit">Show</Button>
        </form>
      )}
      <p className="text-ink-soft">
        The whole flow as <bdi className="font-medium text-ink">{chosen.name}</bdi>
        {chosen.kind === "confidential" && (
          <>
            . Its secret is read from <InlineCode>CLIENT_SECRET</InlineCode>
          </>
        )}
        .
        {!holds(chosen) && (
          <>
            {" "}
            It is not registered for <InlineCode>{scopes.join(" ")}</InlineCode>:{" "}
            <TextLink href={`/developers/apps/${chosen.clientId}/settings`}>
              add it in the settings
            </TextLink>
            .
          </>
        )}
      </p>
      <CodeTabs
        label="The whole flow"
        samples={snippetsUpTo({ ...chosen, baseUrl, scopes }, call)}
      />
    </>
  );
}
