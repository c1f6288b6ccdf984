import type { SearchEntry } from "#app/_parts/search/rank-entries";
import { eventTypes } from "#server/event-types";
import { failureKinds } from "#server/failures";
import { apiPrefix } from "#server/machine-path";
import type { ApplicationChoice } from "#server/oauth/clients/own-applications";
import { braced } from "#server/rest/path";
import { routes } from "#server/routes";
import { scopes } from "#server/scopes";
import { referencePath } from "../_parts/describe-endpoint";
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
    href: referencePath(endpoint),
    text: [`${endpoint.method} ${apiPrefix}${braced(endpoint.path)}`, ...endpoint.scopes].join(
      " · ",
    ),
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
  ({ type, title }): SearchEntry => ({
    kind: "event",
    title: type,
    href: `/docs/events/${type}`,
    text: title,
  }),
);

const scopeEntries = scopes.map(
  ({ name, grants }): SearchEntry => ({
    kind: "scope",
    title: name,
    href: "/docs/scopes",
    text: grants,
  }),
);

const pageEntries = [
  ["/faction", "Board", "Retaliations, delayed OCs, members"],
  ["/faction/banking", "Vault", "Your balance, requests and payments"],
  ["/faction/banking/ledger", "Ledger", "Closed requests of the vault"],
  ["/faction/targets", "Targets", "Players who give you a fair fight"],
  ["/faction/stats", "Scores", "Who sees the scores from your faction's fights; imports"],
  ["/faction/chat", "Chat server", "Where vault requests and retaliations are posted"],
  ["/players", "Players", "Look up a player by name or ID"],
  ["/stocks", "Stocks", "Prices, movers and benefits"],
  ["/account", "Account", "Your profile, game keys, chat account and data"],
  ["/account/apps", "Connected apps", "Applications that act in your name"],
  ["/account/notices", "Notices", "News about your keys and applications"],
  ["/account/security", "Security", "Passkeys and second factor"],
  ["/account/sessions", "Sessions", "Browsers where you are signed in"],
  ["/account/history", "History", "Changes to your account"],
  ["/developers", "Applications", "Health of the last 24 hours"],
  ["/developers/new", "Register an application", "Kind, name and where codes go"],
  ["/developers/doctor", "Doctor", "Find out why a request failed"],
  ["/developers/playground", "Playground", "Try the flow and any endpoint"],
].map(([href = "", title = "", text = ""]): SearchEntry => ({ kind: "page", title, href, text }));

/** Derived from the pages' tables; the reader's applications come first. */
export const searchEntries = (own: readonly ApplicationChoice[]): SearchEntry[] => [
  ...own.map(
    ({ clientId, name }): SearchEntry => ({
      kind: "application",
      title: name,
      href: `/developers/apps/${clientId}`,
      text: clientId,
    }),
  ),
  ...pageEntries,
  ...guideEntries,
  ...endpointEntries,
  ...errorEntries,
  ...eventEntries,
  ...scopeEntries,
];
