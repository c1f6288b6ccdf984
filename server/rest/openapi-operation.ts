import { z } from "zod";
import {
  BackendError,
  BlockedByFaction,
  ClientSuspended,
  type FailureKind,
  GameTimeout,
  GrantPaused,
  IdempotencyConflict,
  InsufficientPermissions,
  InvalidAuthenticationInformation,
  InvalidAuthenticationType,
  InvalidContentType,
  NoAuthenticationInformation,
  NotAcceptable,
  PayloadTooLarge,
  ServiceUnavailable,
  TooManyRequests,
  UnknownElement,
} from "#server/failures";
import { defaultRateLimits } from "#server/platform/environment-variables";
import { isFactionScope } from "#server/scopes";
import type { Endpoint } from "./endpoint";
import { idempotencyKeyPattern } from "./idempotency";
import { exampleOf, type JsonSchema, jsonSchemaOf, type NamedSchemas } from "./json-schema";
import { pathParametersOf } from "./path";

const always: readonly FailureKind[] = [
  NoAuthenticationInformation,
  InvalidAuthenticationInformation,
  InvalidAuthenticationType,
  TooManyRequests,
  GrantPaused,
  ClientSuspended,
  NotAcceptable,
  BackendError,
  ServiceUnavailable,
];

/** Includes failures that the declaration implies. */
export function failuresOf(endpoint: Endpoint): FailureKind[] {
  const kinds = [...always, ...endpoint.fails];
  if (endpoint.scopes.length > 0) kinds.push(InsufficientPermissions);
  if (endpoint.scopes.some(isFactionScope)) kinds.push(BlockedByFaction);
  if (endpoint.query || endpoint.body || endpoint.idempotent) kinds.push(UnknownElement);
  if (endpoint.body) kinds.push(InvalidContentType, PayloadTooLarge);
  if (endpoint.idempotent) kinds.push(IdempotencyConflict);
  return [...new Set(kinds)].sort((a, b) => a.status - b.status || a.code - b.code);
}

interface Mount {
  readonly path: string;
  readonly named: NamedSchemas;
}

export function operationOf(endpoint: Endpoint, at: Mount): object {
  const { path, named } = at;
  return {
    operationId: operationId(endpoint, path),
    summary: endpoint.title,
    description: describe(endpoint),
    tags: [endpoint.tag],
    ...(endpoint.deprecated ? { deprecated: true } : {}),
    security: [...alternatives(endpoint).map((oauth) => ({ oauth })), { bearer: [] }],
    parameters: parametersOf(endpoint, at),
    ...(endpoint.body ? { requestBody: requestBody(endpoint, endpoint.body, named) } : {}),
    responses: { ...success(endpoint, named), ...failureResponses(endpoint) },
  };
}

export const parametersOf = (endpoint: Endpoint, { path, named }: Mount): OperationParameter[] => [
  ...pathParameters(path),
  ...queryParameters(endpoint, named),
  ...headerParameters(endpoint),
];

/** `faction` covers every `faction:*`. */
function alternatives({ scopes }: Endpoint): string[][] {
  const wide = scopes.map((scope) => (isFactionScope(scope) ? "faction" : scope));
  const isSame = wide.every((scope, at) => scope === scopes[at]);
  return isSame ? [[...scopes]] : [[...scopes], [...new Set(wide)]];
}

/** An alias needs an id of its own. */
function operationId({ title, path: own }: Endpoint, path: string): string {
  const words = title
    .replace(/[^A-Za-z0-9 ]/g, "")
    .split(" ")
    .filter(Boolean);
  const name = words
    .map((word, at) => (at === 0 ? word.toLowerCase() : word[0]?.toUpperCase() + word.slice(1)))
    .join("");
  return path === own ? name : `${name}Alias`;
}

function describe({ description, scopes, limit, cache, deprecated }: Endpoint): string {
  const notes = [description];
  if (scopes.length > 0)
    notes.push(
      `Scopes: ${scopes.map((scope) => `\`${scope}\`${scope.startsWith("faction:") ? " (or `faction`)" : ""}`).join(", ")}.`,
    );
  if (limit)
    notes.push(
      `Limited to ${defaultRateLimits[limit.setting]} calls a minute besides the general limit.`,
    );
  if (cache && "seconds" in cache)
    notes.push(`The answer may be up to ${cache.seconds} seconds old.`);
  if (deprecated) notes.push(`Deprecated; it ends on ${deprecated.sunset.toUTCString()}.`);
  return notes.join("\n\n");
}

const pathParameters = (path: string): OperationParameter[] =>
  pathParametersOf(path).map(({ name, kind, description, example }) => ({
    name,
    in: "path",
    required: true,
    ...(description ? { description } : {}),
    schema: {
      ...(kind === "int"
        ? { type: "integer", minimum: 1, maximum: 2_147_483_647 }
        : { type: "string" }),
      ...(description ? { examples: [kind === "int" ? Number(example) : example] } : {}),
    },
  }));

export interface OperationParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export function queryParameters({ query }: Endpoint, named: NamedSchemas): OperationParameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(query, named);
  const fields = Object.entries(properties as Record<string, JsonSchema>);
  const needed = fields.filter(([name]) => (required as string[]).includes(name));
  // Parses an example, as the wire schema does not show a codec's default.
  const sent = Object.fromEntries(
    needed.map(([name, schema]) => [name, String(exampleOf(schema, named))]),
  );
  const read = z.record(z.string(), z.unknown()).safeParse(query.safeParse(sent).data).data ?? {};
  return fields.map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: name in sent,
    ...(typeof description === "string" ? { description } : {}),
    schema: name in sent || !isPlain(read[name]) ? schema : { ...schema, default: read[name] },
  }));
}

const isPlain = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);

function headerParameters({ etag, idempotent, stream }: Endpoint): OperationParameter[] {
  const parameter = (name: string, description: string, pattern?: RegExp): OperationParameter => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string", ...(pattern && { pattern: pattern.source }) },
  });
  return [
    etag &&
      parameter(
        "If-None-Match",
        "The ETag of the answer that you have; 304 where it is still the same.",
      ),
    stream &&
      parameter(
        "Last-Event-ID",
        "Of a stream: the id of the last frame that you have. It wins over `after` and `lastEventId`.",
      ),
    idempotent &&
      parameter(
        "Idempotency-Key",
        "A repeated request gets the answer of the first one, for 24 hours. Bodies are compared as JSON values, not as text.",
        idempotencyKeyPattern,
      ),
  ].filter((given) => typeof given === "object");
}

function requestBody(
  endpoint: Endpoint,
  body: NonNullable<Endpoint["body"]>,
  named: NamedSchemas,
): object {
  // Client generators take a body's default for a literal type.
  const { default: _, ...schema } = jsonSchemaOf(body, named);
  const required = !body.safeParse(undefined).success && endpoint.method !== "GET";
  return {
    required,
    content: { "application/json": { schema, example: exampleOf(schema, named) } },
  };
}

function success(endpoint: Endpoint, named: NamedSchemas): object {
  const { returns, stream, etag } = endpoint;
  const answerHeaders = { ...headersOf(endpoint), ...(isPaged(endpoint) && header("Link")) };
  if (!returns) return { 204: { description: "Done.", headers: answerHeaders } };
  const schema = jsonSchemaOf(returns, named);
  const content = {
    "application/json": { schema, example: exampleOf(schema, named) },
    ...(stream && {
      "text/event-stream": {
        schema: { type: "string", description: stream.description },
        example: stream.example,
      },
    }),
  };
  const tag = {
    ETag: { description: "Names this state of the answer.", schema: { type: "string" } },
  };
  if (!etag) return { 200: { description: "The answer.", headers: answerHeaders, content } };
  return {
    200: { description: "The answer.", headers: { ...answerHeaders, ...tag }, content },
    304: { description: "Still as the ETag says.", headers: { ...answerHeaders, ...tag } },
  };
}

const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });
const isPaged = ({ query }: Endpoint): boolean =>
  query !== undefined && "limit" in ((jsonSchemaOf(query, new Map()).properties ?? {}) as object);

const headersOf = ({ deprecated }: Endpoint) => ({
  ...header("X-RateLimit-Limit"),
  ...header("X-RateLimit-Remaining"),
  ...header("X-RateLimit-Reset"),
  ...header("X-Request-Id"),
  ...header("Cache-Control"),
  ...(deprecated && { ...header("Deprecation"), ...header("Sunset"), ...header("Link") }),
});

const headersByStatus: Readonly<Record<number, object>> = {
  [NoAuthenticationInformation.status]: header("WWW-Authenticate"),
  [InsufficientPermissions.status]: header("WWW-Authenticate"),
  [TooManyRequests.status]: header("Retry-After"),
  [ServiceUnavailable.status]: header("Retry-After"),
  [GameTimeout.status]: header("Retry-After"),
};

function failureResponses(endpoint: Endpoint): object {
  const byStatus = Map.groupBy(failuresOf(endpoint), ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.map((kind) => `${kind.code} ${kind.name}: ${kind.message}`).join("\n\n"),
        headers: { ...headersOf(endpoint), ...headersByStatus[status] },
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/Error" },
            examples: Object.fromEntries(
              same.map(({ code, name, message }) => [name, { value: { code, name, message } }]),
            ),
          },
        },
      },
    ]),
  );
}
