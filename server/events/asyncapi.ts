import type { EventType } from "../event-log/event-type";
import { apiPrefix } from "../machine-path";
import { type JsonSchema, jsonSchemaOf, type NamedSchemas } from "../rest/json-schema";
import { queryParameters } from "../rest/openapi-operation";
import { listEvents } from "./endpoints/list-events";
import {
  audienceOf,
  eventSchemaName,
  eventSchemaOf,
  exampleEvent,
  webhookHeaders,
} from "./event-schema";

/** AsyncAPI 3, derived from the event types, for the stream and for webhooks. */
export function asyncApiDocument(
  types: readonly EventType[],
  { version, baseUrl }: { readonly version: string; readonly baseUrl: string },
): object {
  const named: NamedSchemas = new Map();
  const messages = Object.fromEntries(
    types.map((type) => [eventSchemaName(type), messageOf(type, { baseUrl, named })]),
  );
  const query = queryParameters(listEvents, named).map(({ name, schema, description }) => [
    name,
    { ...schema, description },
  ]);
  const { protocol, host } = new URL(baseUrl);
  const channel = (name: string) => ({ $ref: `#/channels/${name}` });
  const streamed = types.filter((type) => audienceOf(type) !== "endpoint").map(eventSchemaName);
  const references = (prefix: string, names: readonly string[]) =>
    names.map((name) => ({ $ref: `${prefix}/${name}` }));
  return {
    asyncapi: "3.0.0",
    id: `${baseUrl}/api/asyncapi.json`,
    info: {
      title: "Adjutant events",
      version,
      description:
        "What happened, as a stream or by webhook. The REST API, and the same events page by page, are described by OpenAPI.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      externalDocs: { url: `${baseUrl}/docs/events`, description: "Guide" },
    },
    defaultContentType: "application/json",
    servers: {
      adjutant: {
        host,
        protocol: protocol.slice(0, -1),
        security: [{ $ref: "#/components/securitySchemes/bearer" }],
      },
    },
    channels: {
      stream: {
        address: `${apiPrefix}${listEvents.path}`,
        title: "Stream",
        description:
          "Server-sent events, for the holder of an access token. `data` of a frame is the event, `id` its cursor.",
        servers: [{ $ref: "#/servers/adjutant" }],
        messages: Object.fromEntries(
          streamed.map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
      webhook: {
        title: "Webhook",
        description: "The address that a developer registered for an application.",
        messages: Object.fromEntries(
          Object.entries(messages).map(([name, message]) => [
            name,
            { ...message, traits: [{ $ref: "#/components/messageTraits/signed" }] },
          ]),
        ),
      },
    },
    operations: {
      streamEvents: {
        action: "send",
        title: "Stream events",
        channel: channel("stream"),
        messages: references("#/channels/stream/messages", streamed),
        bindings: {
          http: {
            method: "GET",
            query: { type: "object", properties: Object.fromEntries(query) },
            bindingVersion: "0.3.0",
          },
        },
      },
      deliverEvents: {
        action: "send",
        title: "Deliver events",
        channel: channel("webhook"),
        messages: references("#/channels/webhook/messages", Object.keys(messages)),
        bindings: { http: { method: "POST", bindingVersion: "0.3.0" } },
      },
    },
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An access token." },
      },
      messages,
      messageTraits: {
        signed: {
          headers: {
            type: "object",
            required: Object.keys(webhookHeaders),
            properties: Object.fromEntries(
              Object.entries(webhookHeaders).map(([name, { description, example }]) => [
                name,
                { type: "string", description, examples: [example] },
              ]),
            ),
          },
        },
      },
      schemas: Object.fromEntries(
        [...named]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, schema]) => [name, besideReferences(schema)]),
      ),
    },
  };
}

/** AsyncAPI ignores siblings of `$ref`, as JSON Schema up to draft 7: wrap it in an `allOf`. */
function besideReferences(node: JsonSchema): JsonSchema {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    return typeof value === "object" && value !== null
      ? besideReferences(value as JsonSchema)
      : value;
  };
  const { $ref, ...rest } = Object.fromEntries(
    Object.entries(node).map(([keyword, value]) => [keyword, walk(value)]),
  );
  if (typeof $ref !== "string") return rest;
  return Object.keys(rest).length === 0 ? { $ref } : { allOf: [{ $ref }], ...rest };
}

const messageOf = (
  type: EventType,
  { baseUrl, named }: { baseUrl: string; named: NamedSchemas },
) => ({
  name: type.type,
  title: type.title,
  summary: type.description,
  contentType: "application/json",
  externalDocs: { url: `${baseUrl}/docs/events/${type.type}` },
  payload: jsonSchemaOf(eventSchemaOf(type), named),
  examples: [{ payload: exampleEvent(type, baseUrl) }],
});
