import type { ReactNode } from "react";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { PageTabs } from "#app/_ui/page-tabs.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { hostOfEndpoint } from "#server/webhooks/endpoint-url";
import { endpointsPath } from "../_parts/endpoint-path";
import { EndpointStatus } from "../_parts/endpoint-status";
import { type EndpointParams, requireEndpoint } from "../_parts/own-endpoint";

type Props = { params: EndpointParams; children: ReactNode };

export default async function EndpointLayout({ params, children }: Props) {
  const { application, endpoint, key, page } = await requireEndpoint(params);
  const { url, description } = endpoint;
  return (
    <>
      {!application && (
        <PageHeader
          title="Your webhook"
          trail={[{ label: "Notifications", href: endpointsPath() }]}
        />
      )}
      <div className="grid gap-1.5">
        {application && (
          <p className="text-sm">
            <TextLink href={endpointsPath(key.clientId)}>All endpoints</TextLink>
          </p>
        )}
        <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <h2 className="text-lg font-semibold wrap-anywhere">
            {description || (hostOfEndpoint(url) ?? url)}
          </h2>
          <EndpointStatus endpoint={endpoint} />
        </div>
        <code className="text-sm wrap-anywhere text-ink-soft">{url}</code>
      </div>
      <PageTabs
        label="Webhook endpoint"
        items={[
          { href: page, label: "Deliveries", exact: true },
          { href: `${page}/send`, label: "Test and replay" },
          ...(application ? [{ href: `${page}/events`, label: "Events" }] : []),
          { href: `${page}/settings`, label: "Settings" },
        ]}
      />
      {children}
    </>
  );
}
