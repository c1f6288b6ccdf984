import { KnownDetails } from "#server/failure-details";
import { type FailureKind, failureKinds } from "#server/failures";
import { authorizationPath } from "#server/machine-path";
import { scopes } from "#server/scopes";
import type { Endpoint } from "./endpoint";
import { jsonSchemaOf, type NamedSchemas } from "./json-schema";
import { operationOf } from "./openapi-operation";
import { openApiPath } from "./path";
import { expandAliases } from "./router";

export interface OpenApiOptions {
  readonly version: string;
  readonly baseUrl: string;
  readonly prefix: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly webhooks?: (named: NamedSchemas) => Readonly<Record<string, object>>;
}

export function openApiDocument(endpoints: readonly Endpoint[], options: OpenApiOptions): object {
  const named: NamedSchemas = new Map();
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, endpoint } of expandAliases(endpoints)) {
    const address = options.prefix + openApiPath(path);
    const operation = operationOf(endpoint, { path, named });
    paths[address] = { ...paths[address], [endpoint.method.toLowerCase()]: operation };
  }
  const webhooks = options.webhooks?.(named);
  return {
    openapi: "3.1.0",
    info: {
      title: "Adjutant",
      version: options.version,
      description:
        "A companion service for an online game. Applications call it on behalf of a player, with an access token that the player approved.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: options.baseUrl }],
    tags: options.tags.filter((tag) => endpoints.some((endpoint) => endpoint.tag === tag.name)),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      securitySchemes: securitySchemes(options.baseUrl),
      headers: documentedHeaders,
      schemas: {
        ...Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
        Error: errorSchema(failureKinds),
      },
    },
  };
}

const securitySchemes = (baseUrl: string) => ({
  oauth: {
    type: "oauth2",
    description:
      "The authorization code grant, with PKCE; refresh tokens for applications that can keep a secret.",
    flows: {
      authorizationCode: {
        authorizationUrl: `${baseUrl}${authorizationPath}`,
        tokenUrl: `${baseUrl}/oauth/token`,
        refreshUrl: `${baseUrl}/oauth/token`,
        scopes: Object.fromEntries(scopes.map(({ name, grants }) => [name, grants])),
      },
    },
  },
  bearer: { type: "http", scheme: "bearer", description: "An access token from `/oauth/token`." },
});

const count = { type: "integer", format: "int32", minimum: 0 };
export const documentedHeaders = {
  "X-RateLimit-Limit": { description: "Calls allowed in the window.", schema: count, example: 250 },
  "X-RateLimit-Remaining": {
    description: "Calls left in the window.",
    schema: count,
    example: 249,
  },
  "X-RateLimit-Reset": {
    description: "Seconds until the window ends.",
    schema: { type: "integer", minimum: 1, maximum: 60 },
    example: 42,
  },
  "X-Request-Id": {
    description: "Identifies this call; quote it when you report an error.",
    schema: { type: "string" },
    example: "3fGh7KpQ2sVwXyZ0aBcDeF",
  },
  "WWW-Authenticate": {
    description: "What a token must be or hold (RFC 6750).",
    schema: { type: "string" },
    example: 'Bearer realm="adjutant"',
  },
  "Retry-After": {
    description: "Seconds to wait before trying again.",
    schema: count,
    example: 42,
  },
  "Cache-Control": {
    description: "For how many seconds the answer may be kept, if at all.",
    schema: { type: "string" },
    example: "no-store",
  },
  Link: {
    description:
      "The next page (`next`), where there is one; the page that explains a deprecation.",
    schema: { type: "string" },
    example: '<https://adjutant.example/api/v1/events?after=4nM0>; rel="next"',
  },
  Deprecation: {
    description: "Since when the endpoint is deprecated (RFC 9745).",
    schema: { type: "string", pattern: "^@\\d+$" },
    example: "@1767225600",
  },
  Sunset: {
    description: "When the endpoint ends (RFC 8594).",
    schema: { type: "string" },
    example: "Fri, 31 Dec 2027 23:59:59 GMT",
  },
};

const errorSchema = (kinds: readonly FailureKind[]) => ({
  type: "object",
  required: ["code", "name", "message"],
  properties: {
    code: {
      type: "integer",
      description: "Which failure; stable.",
      enum: [...new Set(kinds.map((kind) => kind.code))],
    },
    name: {
      type: "string",
      description: "The failure's name; stable.",
      enum: [...new Set(kinds.map((kind) => kind.name))],
    },
    message: { type: "string", description: "A sentence for people." },
    details: {
      type: "object",
      description: "More about it, for programs.",
      required: ["message"],
      properties: {
        message: { type: "string", description: "What exactly is wrong with this call." },
        ...(jsonSchemaOf(KnownDetails, new Map()).properties as object),
      },
    },
  },
});
