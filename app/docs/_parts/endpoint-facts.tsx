import { formatDuration } from "#app/_lib/format";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { Endpoint } from "#server/rest/endpoint";
import type { EndpointDescription } from "./describe-endpoint";

type Props = { endpoint: Endpoint; addresses: Pick<EndpointDescription, "path" | "alias" | "pathParameters"> };

/** Where it is and what it wants, at a glance. */
export function EndpointFacts({ endpoint, addresses }: Props) {
  const { method, scopes, limit, cache, etag, idempotent } = endpoint;
  const { path, alias, pathParameters } = addresses;
  const address = (text: string) => (
    <code className="font-mono text-sm">
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
            value: (
              <>
                {limit ? `${limit.limit} a minute, besides the ` : "The "}
                <TextLink href="/docs/limits">general limit</TextLink>
              </>
            ),
          },
          ...(cache
            ? [
                {
                  label: "Cached",
                  value: "seconds" in cache ? `Up to ${formatDuration(cache.seconds)}` : "Until it changes",
                },
              ]
            : []),
          ...(etag ? [{ label: "ETag", value: "Yes; If-None-Match is supported" }] : []),
          ...(idempotent ? [{ label: "Idempotency-Key", value: "Accepted, remembered for 24 hours" }] : []),
        ]}
      />
    </Card>
  );
}
