import type { SearchEntry } from "#app/_parts/search/rank-entries";
import { eventTypes } from "#server/event-types";
import { failureKinds } from "#server/failures";
import { apiPrefix } from "#server/machine-path";
import type { ApplicationChoice } from "#server/oauth/clients/own-applications";
import { routes } from "#server/routes";
import { scopes } from "#server/scopes";
import { endpointPath } from "../_parts/describe-endpoint";
import { guides, type OutlineEntry } from "../_parts/guides";

const guideEntries = Object.entries(guides).flatMap(([href, { title, outline }]): SearchEntry[] => [
  { kind: "guide", title, href, text: "" },
  ...(outline as readonly OutlineEntry[]).map(
    ([id, section, words]): SearchEntry => ({
      kind: "guide",
      title: section,
      href: `${href}#${id}`,
      text: title,
      words,
    }),
  ),
]);

const endpointEntries = routes.map(
  (endpoint): SearchEntry => ({
    kind: "endpoint",
    title: endpoint.title,
    href: endpointPath(endpoint),
    text: [`${endpoint.method} ${apiPrefix}${endpoint.path}`, ...endpoint.scopes].join(" · "),
  }),
);

const errorEntries = [...new Map(failureKinds.map((kind) => [kind.code, kind])).values()].map(
  ({ code, name, status, message }): SearchEntry => ({
    kind: "error",
    title: `${code} ${name}`,
    href: `/docs/errors/${code}`,
    text: `HTTP ${status} · ${message}`,
  }),
);

const eventEntries = eventTypes.map(
  ({ type, title }): SearchEntry => ({ kind: "event", title: type, href: `/docs/events/${type}`, text: title }),
);

const scopeEntries = scopes.map(
  ({ name, grants }): SearchEntry => ({ kind: "scope", title: name, href: "/docs/scopes", text: grants }),
);

/** All that can be found, made from the tables that the pages are made from; and the reader's own applications before it. */
export const searchEntries = (own: readonly ApplicationChoice[]): SearchEntry[] => [
  ...own.map(
    ({ clientId, name }): SearchEntry => ({
      kind: "application",
      title: name,
      href: `/developers/apps/${clientId}`,
      text: clientId,
    }),
  ),
  ...guideEntries,
  ...endpointEntries,
  ...errorEntries,
  ...eventEntries,
  ...scopeEntries,
];
