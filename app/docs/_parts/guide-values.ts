import { formatDate, formatDuration, formatNumber, formatShare } from "#app/_lib/format";
import { eventRetentionMs } from "#server/event-log/event-type";
import { eventTypes } from "#server/event-types";
import { type audienceOf, exampleEvent, webhookHeaders } from "#server/events/event-documents";
import { usualLimits } from "#server/events/feed";
import { abilityByFlag } from "#server/faction/contract";
import { retaliationOpened } from "#server/faction/events";
import { failureKinds } from "#server/failures";
import { bySection, type KeyPurpose, keyPurposes, selectionsFor } from "#server/game/selections";
import { apiPrefix } from "#server/machine-path";
import { exampleNoticeOf } from "#server/notices/notices";
import { ChoosableTopic, noticeEventType, topics } from "#server/notices/topics";
import { authorizationErrors } from "#server/oauth/authorize/authorization-messages";
import { approvalDays } from "#server/oauth/authorize/consent-prompt";
import { requestLifetimeMs } from "#server/oauth/authorize/pending-authorization";
import { mostMembers, mostTestPlayers } from "#server/oauth/clients/team/rights";
import { maxBodyBytes } from "#server/oauth/form-endpoint";
import { duplicateGraceMs } from "#server/oauth/grants/authorization-code";
import { tokenErrors } from "#server/oauth/oauth-error";
import { maxRedirectUris } from "#server/oauth/redirect-uri";
import type { Settings } from "#server/platform/env";
import { daySeconds } from "#server/platform/time";
import { documentedHeaders } from "#server/rest/openapi";
import { openApiPath } from "#server/rest/path";
import { largestBody } from "#server/rest/read-input";
import { routes, tags } from "#server/routes";
import { scopes } from "#server/scopes";
import type { Accuracy, ModelCard } from "#server/stats/estimates/model/model-card";
import { mostKeepDays } from "#server/webhooks/contract";
import {
  exhaustionThresholds,
  failuresBeforeRest,
  noticeThresholds,
} from "#server/webhooks/endpoint";
import { mostReplayed } from "#server/webhooks/replay";
import { attemptDelays } from "#server/webhooks/retry";
import { referencePath } from "./describe-endpoint";

export interface GuideFacts {
  readonly settings: Settings;
  /** Model card of the estimates guide; null without a model. */
  readonly card?: ModelCard | null;
}

const aMinute = (calls: number) => `${formatNumber(calls)} a minute`;
const kilobytes = (bytes: number) => `${bytes / 1_024} KB`;
const duration = (milliseconds: number) => formatDuration(milliseconds / 1_000);
const code = (text: string | number) => `\`${text}\``;

/** Columns of figures are right-aligned. */
function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const marks = headers.map((_, at) =>
    rows.every((cells) => /^[\d,.]+%?$/.test(cells[at] ?? "")) ? "---:" : "---",
  );
  return [line(headers), line(marks), ...rows.map(line)].join("\n");
}

const linkTo = (endpoint: { readonly title: string }) =>
  `[${endpoint.title}](${referencePath(endpoint)})`;

export const audienceSentences: Readonly<Record<ReturnType<typeof audienceOf>, string>> = {
  faction:
    "Sent to applications whose grant covers the scope, once for each player of the faction who gave one.",
  application: "Sent to the application that has the grant. No scope is needed.",
  endpoint: "Sent only to the webhook endpoint that it is about, not by list or stream.",
  everybody: "Sent to every application, once and without a player. No scope is needed.",
};

function named(values: Readonly<Record<string, number>>, name: string): number {
  const value = values[name];
  if (value === undefined) throw new Error(`A guide names a value that is not there: ${name}.`);
  return value;
}

const examplePlayer = 2_400_001;

/**
 * Values of `{{name}}` and `{{name argument}}` in a guide, from the settings and constants that
 * enforce them.
 */
export const guidePlaceholders: Readonly<
  Record<string, string | number | ((facts: GuideFacts, argument: string) => string)>
> = {
  baseUrl: ({ settings }) => settings.baseUrl,
  issuerParameter: ({ settings }) => encodeURIComponent(settings.baseUrl),
  game: ({ settings }) => settings.gameName,

  lifetime: ({ settings }, name) => formatDuration(named(settings.lifetimes, name)),
  rate: ({ settings }, name) => aMinute(named(settings.rates, name)),
  /** Rows of a table. */
  endpointRates: ({ settings }) =>
    routes
      .flatMap(({ title, limit }) =>
        limit
          ? [`| ${title} | The same, besides | ${aMinute(settings.rates[limit.setting])} |`]
          : [],
      )
      .join("\n"),
  duplicate: duration(duplicateGraceMs),
  accessSeconds: ({ settings }) => String(settings.lifetimes.access),
  request: duration(requestLifetimeMs),
  approvals: () =>
    [approvalDays.day, approvalDays.month]
      .map((days) => formatDuration(days * daySeconds))
      .join(" or "),
  redirectUris: maxRedirectUris,
  teamMembers: mostMembers,
  testPlayers: mostTestPlayers,
  oauthBody: kilobytes(maxBodyBytes),
  apiBody: kilobytes(largestBody),
  authorizationErrors: () =>
    table(
      ["error", "Cause", "Remedy"],
      Object.entries(authorizationErrors).map(([word, { cause, remedy }]) => [
        code(word),
        cause,
        remedy,
      ]),
    ),
  tokenErrors: () =>
    table(
      ["error", "Status", "Cause", "Remedy"],
      Object.entries(tokenErrors).map(([word, { status, cause, remedy }]) => [
        code(word),
        String(status),
        cause,
        remedy,
      ]),
    ),

  scopes: () =>
    table(
      ["Scope", "Allows", "Endpoints"],
      scopes.map(({ name, grants }) => [
        code(name),
        grants,
        routes
          .filter((endpoint) => endpoint.scopes.includes(name))
          .map(linkTo)
          .join(", "),
      ]),
    ),
  keySelections: () =>
    table(
      ["For", "Selections"],
      Object.entries(keyPurposes).map(([purpose, { title }]) => [
        title,
        [...bySection(selectionsFor({ purposes: [purpose as KeyPurpose] }))]
          .map(([section, names]) => `${code(section)}: ${names.join(", ")}`)
          .join("; "),
      ]),
    ),
  endpoints: () => tags.map(endpointsOf).join("\n\n"),
  responseHeaders: () =>
    table(
      ["Header", "Holds", "Example"],
      Object.entries(documentedHeaders).map(([name, { description, example }]) => [
        code(name),
        description,
        code(example),
      ]),
    ),
  deprecated: () =>
    table(
      ["Endpoint", "Since", "Ends"],
      routes.flatMap((endpoint) =>
        endpoint.deprecated
          ? [
              [
                linkTo(endpoint),
                formatDate(endpoint.deprecated.since),
                formatDate(endpoint.deprecated.sunset),
              ],
            ]
          : [],
      ),
    ),
  errors: () =>
    table(
      ["Name", "Code", "Status", "Message"],
      failureKinds
        .toSorted((one, other) => one.code - other.code || one.status - other.status)
        .map(({ name, code, status, message }) => [
          `[${name}](/docs/errors/${code})`,
          String(code),
          String(status),
          message,
        ]),
    ),

  eventTypes: () =>
    table(
      ["Type", "Happens", "Scope"],
      eventTypes.map(({ type, description, scope }) => [
        `[${type}](/docs/events/${type})`,
        description,
        scope === null ? "none" : code(scope),
      ]),
    ),
  exampleEvent: ({ settings }) =>
    `\`\`\`json "${retaliationOpened.type}"\n${JSON.stringify(exampleEvent(retaliationOpened, settings.baseUrl), null, 2)}\n\`\`\``,
  factionAudience: audienceSentences.faction,
  eventsKept: duration(eventRetentionMs),
  heartbeat: duration(usualLimits.heartbeat),
  streamAge: duration(usualLimits.age),
  streamsOfHolder: usualLimits.streamsOfHolder,

  webhookHeaders: () =>
    table(
      ["Header", "Holds"],
      Object.entries(webhookHeaders).map(([name, { description }]) => [code(name), description]),
    ),
  webhookAttempts: attemptDelays.length,
  webhookWaits: attemptDelays.slice(1).map(duration).join(", "),
  webhookFailures: failuresBeforeRest,
  webhookExhausted: duration(exhaustionThresholds.sinceFirst),
  webhookNotices: noticeThresholds.map(([, after]) => duration(after)).join(", "),
  webhookKeepDays: mostKeepDays,
  webhookReplayed: formatNumber(mostReplayed),

  noticeTypes: () =>
    table(
      ["Kind", "Type of the message", "Sent for"],
      ChoosableTopic.options.map((topic) => [
        topics[topic].title,
        code(noticeEventType(topic)),
        topics[topic].words,
      ]),
    ),
  exampleNotice: ({ settings }) =>
    `\`\`\`json "${noticeEventType("sign_in")}"\n${JSON.stringify(exampleNoticeOf(noticeEventType("sign_in"), { playerId: examplePlayer }, settings.baseUrl), null, 2)}\n\`\`\``,

  apiAccess: abilityByFlag.access_fac_api,
  giveMoney: abilityByFlag.give_money,
  givePoints: abilityByFlag.give_points,
  adjustBalances: abilityByFlag.adjust_balances,

  model: ({ card }) => (card ? modelFacts(card) : noModel),
};

function endpointsOf({ name, description }: (typeof tags)[number]): string {
  const rows = routes
    .filter(({ tag }) => tag === name)
    .map((endpoint) => [
      `${linkTo(endpoint)}${endpoint.deprecated ? " (deprecated)" : ""}`,
      code(`${endpoint.method} ${apiPrefix}${openApiPath(endpoint.path)}`),
      endpoint.scopes.map(code).join(" ") || "none",
    ]);
  return `## ${name}\n\n${description}\n\n${table(["Endpoint", "Path", "Scopes"], rows)}`;
}

const noModel =
  "**There is no model yet.** There are not enough fights to train on. Training is tried again every hour. Until then estimates answer [1605 StatsNotAvailable](/docs/errors/1605).";

const rounded = (value: number) => formatNumber(Math.round(value));

function modelFacts({
  trainedAt,
  rows,
  metrics,
  baseline,
  usualRange,
  byScore,
}: ModelCard): string {
  const [low, high] = usualRange.map((factor) => factor.toFixed(2));
  const accuracy = (by: string, { median, p90, within2, within2Total }: Accuracy) => [
    by,
    ...[median, p90, within2, within2Total].map(formatShare),
  ];
  return [
    `Trained on ${formatDate(new Date(trainedAt))} with ${rounded(rows.train)} players, and tested on ${rounded(metrics.count)} others. Half of the estimates are within ${formatShare(metrics.median)} of the true score.`,
    table(
      ["Estimated by", "Median error", "Nine of ten below", "Score within 2×", "Sum within 2×"],
      [accuracy("The model", metrics), accuracy("Average for the player's level", baseline)],
    ),
    `For eight of ten players the true score is between ${low} and ${high} times the estimate. The true scores come from fights and are themselves rounded.`,
    ...(byScore.length > 1
      ? [
          table(
            ["Score range", "Players", "Median error", "Score within 2×"],
            byScore.map(({ from, metrics: { count, median, within2 } }) => [
              `from ${rounded(from)}`,
              rounded(count),
              formatShare(median),
              formatShare(within2),
            ]),
          ),
        ]
      : []),
  ].join("\n\n");
}
