import { marked, type Token, type Tokens } from "marked";
import MiniSearch, { type SearchOptions } from "minisearch";
import { caller, portalContext } from "#app/_lib/caller";
import type { SearchResult } from "#app/_parts/search/search-result";
import { perProcess } from "#server/context";
import { eventTypes } from "#server/event-types";
import { failureKinds } from "#server/failures";
import type { ApplicationChoice } from "#server/oauth/clients/own-applications";
import type { Settings } from "#server/platform/env";
import { routes } from "#server/routes";
import { describeEndpoint, referencePath } from "../_parts/describe-endpoint";
import { type GuideName, guideNames, guidePath, guideTitle, readGuide } from "../_parts/guides";

type Indexed = SearchResult & { readonly id: number };

/** Factors of a score: pages where a reader acts come before passages that mention them. */
const kindBoosts: Partial<Record<SearchResult["kind"], number>> = {
  page: 1.6,
  endpoint: 1.3,
  event: 1.2,
  // Points of the changelog repeat what a guide says.
  change: 0.5,
};
const titleBoost = 4;
/** Applies to a title that equals the question. */
const wholeTitleBoost = 3;
/** Applies to text that contains the question literally, such as a header or an error's name. */
const literalBoost = 2;

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
/** Adds the parts of a name such as "UnknownUser". */
const indexedWords = (text: string): string[] =>
  wordsOf(text).flatMap((word) => {
    const parts = word.split(/(?<=[a-z])(?=[A-Z])/);
    return parts.length > 1 ? [word, ...parts] : [word];
  });

/** Letters. */
export const longestQuestion = 200;

/** Also finds the reader's own applications. */
export async function searchDocs(question: string): Promise<SearchResult[]> {
  const { context, user } = await portalContext();
  const own = user ? await (await caller()).applications.names() : [];
  return docsSearch(context)(question.slice(0, longestQuestion), own);
}

/** Words of at least this many letters may contain a typing error. */
const longEnoughForErrors = 6;

/** Built once, because the texts depend only on the build and the settings. */
const docsSearch = perProcess("docs-search", ({ settings }) => createDocsSearch(settings));

export function createDocsSearch(settings: Settings) {
  const index = new MiniSearch<Indexed>({
    fields: ["title", "text"],
    storeFields: ["kind", "title", "href", "text"],
    tokenize: indexedWords,
    searchOptions: {
      tokenize: wordsOf,
      prefix: true,
      fuzzy: (word) => (word.length >= longEnoughForErrors && !/\d/.test(word) ? 1 : false),
      weights: { fuzzy: 0.1, prefix: 0.6 },
      boost: { title: titleBoost },
    },
  });
  index.addAll(searchedPages(settings).map((entry, id) => ({ ...entry, id })));

  /**
   * Sorted best first. If no page has all words, any word may match.
   * @param own the reader's applications
   */
  return (question: string, own: readonly ApplicationChoice[]): SearchResult[] => {
    const asked = wordsOf(question.toLowerCase());
    if (asked.length === 0) return [];
    const boostDocument: SearchOptions["boostDocument"] = (_id, _word, stored) =>
      boostOf(stored as unknown as SearchResult, asked.join(" "), question.trim().toLowerCase());
    const strict = index.search(question, { combineWith: "AND", boostDocument });
    const found = strict.length > 0 ? strict : index.search(question, { boostDocument });
    return [
      ...requestOf(question.trim()),
      ...applicationsOf(own, asked),
      ...found.map(({ kind, title, href, text, terms }) => ({
        kind,
        title,
        href,
        text: passageOf(text, terms),
      })),
    ];
  };
}

function boostOf({ kind, title, text }: SearchResult, asked: string, question: string): number {
  const isTitle = wordsOf(title.toLowerCase()).join(" ") === asked;
  const isLiteral = `${title} ${text}`.toLowerCase().includes(question);
  return (kindBoosts[kind] ?? 1) * (isTitle ? wholeTitleBoost : 1) * (isLiteral ? literalBoost : 1);
}

const applicationsOf = (
  own: readonly ApplicationChoice[],
  asked: readonly string[],
): SearchResult[] =>
  own
    .filter(({ name, clientId }) =>
      asked.every((word) => `${name} ${clientId}`.toLowerCase().includes(word)),
    )
    .map(({ name, clientId }) => ({
      kind: "application",
      title: name,
      href: `/developers/apps/${clientId}`,
      text: clientId,
    }));

/** A question that is a request id leads to the doctor. */
const requestOf = (question: string): SearchResult[] =>
  /^[A-Za-z0-9_-]{22}$/.test(question)
    ? [
        {
          kind: "request",
          title: `Request ${question}`,
          href: `/developers/doctor?ask=${question}`,
          text: "Why a call of your application failed",
        },
      ]
    : [];

/** Letters of a passage, and of its part before the first word that was found. */
const passage = { before: 50, whole: 160 };

/** Cuts out the passage with the most words of the question. */
function passageOf(text: string, terms: readonly string[]): string {
  if (text.length <= passage.whole) return text;
  const lower = text.toLowerCase();
  const places = [...lower.matchAll(/[\p{L}\p{N}]+/gu)]
    .filter(([word]) => terms.includes(word))
    .map(({ index }) => {
      const near = lower.slice(index, index + passage.whole - passage.before);
      return { index, many: terms.filter((term) => near.includes(term)).length };
    });
  const best = places.sort((one, other) => other.many - one.many)[0]?.index ?? 0;
  const start = best <= passage.before ? 0 : text.indexOf(" ", best - passage.before) + 1;
  const end = text.lastIndexOf(" ", start + passage.whole);
  return `${start > 0 ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
}

const searchedPages = (settings: Settings): SearchResult[] => [
  ...portalPages,
  ...guideNames.flatMap((name) => guideSections(name, settings)),
  ...routes.map((endpoint): SearchResult => {
    const { path, pathParameters, query, body, answer } = describeEndpoint(
      endpoint,
      settings.baseUrl,
    );
    const fields = [
      ...pathParameters,
      ...query,
      ...(body?.fields ?? []),
      ...(answer?.fields ?? []),
    ];
    return {
      kind: "endpoint",
      title: endpoint.title,
      href: referencePath(endpoint),
      text: [
        `${endpoint.method} ${path}`,
        ...endpoint.scopes,
        endpoint.description.replaceAll("`", ""),
        ...fields.map(({ name }) => name),
      ].join(" · "),
    };
  }),
  ...[...new Map(failureKinds.map((kind) => [kind.code, kind])).values()].map(
    ({ code, name, status, message, why, todo }): SearchResult => ({
      kind: "error",
      title: `${code} ${name}`,
      href: `/docs/errors/${code}`,
      text: `HTTP ${status} · ${message} ${why} ${todo}`.replaceAll("`", ""),
    }),
  ),
  ...eventTypes.map(
    ({ type, title, description }): SearchResult => ({
      kind: "event",
      title: type,
      href: `/docs/events/${type}`,
      text: `${title}. ${description}`.replaceAll("`", ""),
    }),
  ),
];

/** Guides that only list entries, which are indexed themselves. */
const listed: ReadonlySet<GuideName> = new Set(["api", "errors", "scopes"]);

function guideSections(name: GuideName, settings: Settings): SearchResult[] {
  const title = guideTitle(name);
  const href = guidePath(name);
  const { lead, sections } = readGuide(name, { settings });
  const parts = sections.flatMap(({ folded, ...own }) => [own, ...folded]);
  return [
    { kind: "guide", title, href, text: plain(lead) },
    ...parts.flatMap(({ id, title: part, tokens }): SearchResult[] => {
      const at = { kind: "guide", href: `${href}#${id}` } as const;
      if (name === "changelog")
        return changesIn(tokens).map((text) => ({ ...at, kind: "change", title: part, text }));
      const rows = namesIn(tokens).map(([named, text]) => ({
        ...at,
        title: named,
        text: `${part} · ${text}`,
      }));
      const whole = { ...at, title: part, text: `${title} · ${plain(tokens)}` };
      return listed.has(name) ? rows : [whole, ...rows];
    }),
  ];
}

/** Finds headers, parameters, errors and scopes: table rows that start with code. */
const namesIn = (tokens: readonly Token[]): [name: string, text: string][] =>
  tokens
    .flatMap((token) => (token.type === "table" ? (token as Tokens.Table).rows : []))
    .flatMap(([first, ...cells]) =>
      first?.tokens[0]?.type === "codespan"
        ? [[plain(first.tokens), cells.map((cell) => plain(cell.tokens)).join(" · ")]]
        : [],
    );

const changesIn = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) =>
    token.type === "list" ? (token as Tokens.List).items.map((item) => plain(item.tokens)) : [],
  );

/** Drops markup, and code with a title, which is a whole program. */
function plain(tokens: readonly Token[]): string {
  const leaves: string[] = [];
  marked.walkTokens(tokens as Token[], (token) => {
    const isProgram = token.type === "code" && /"/.test(String(token.lang));
    // A token with child tokens repeats their text.
    if ("text" in token && !("tokens" in token && token.tokens) && !isProgram)
      leaves.push(String(token.text));
  });
  return leaves.join(" ").replaceAll(/\s+/g, " ").trim();
}

const portalPages = [
  ["/faction", "Board", "Retaliations, delayed OCs, members"],
  ["/faction/banking", "Vault", "Your balance, requests and payments"],
  ["/faction/banking/ledger", "Ledger", "Closed requests of the vault"],
  ["/faction/targets", "Targets", "Players who give you a fair fight"],
  ["/faction/stats", "Scores", "Who sees the scores from your faction's fights; imports"],
  ["/faction/apps", "Apps", "Applications that read the faction's data: see, block, allow"],
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
].map(([href = "", title = "", text = ""]): SearchResult => ({ kind: "page", title, href, text }));
