import { z } from "zod";
import type { EventType } from "../event-log/event-type";
import { apiPrefix } from "../machine-path";
import { exampleOf, type JsonSchema, jsonSchemaOf, type NamedSchemas } from "../rest/json-schema";
import { queryParameters } from "../rest/openapi-operation";
import { listEvents } from "./endpoints/list-events";
import { CommonEventData, EventEnvelope } from "./event-record";

export function audienceOf({
  scope,
  tag,
  subject,
}: EventType): "faction" | "application" | "endpoint" | "everybody" {
  if (scope !== null) return "faction";
  if (tag === "Grants") return "application";
  return subject === "webhook_endpoint" ? "endpoint" : "everybody";
}

const { sub, grant_id, faction_id, subject, revision, changed, href } = CommonEventData.shape;
const present = <Field extends z.ZodType>(field: z.ZodOptional<Field>): Field =>
  field.unwrap().meta(field.meta() ?? {});

const idsOf = {
  faction: { sub: present(sub), faction_id: present(faction_id) },
  application: { sub: present(sub), grant_id: present(grant_id) },
  endpoint: {},
  everybody: {},
} as const;

/** `retaliation.opened` becomes `RetaliationOpenedEvent`. */
export const eventSchemaName = ({ type }: { readonly type: string }): string =>
  `${type
    .split(/[._]/)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join("")}Event`;

const dataSchemaOf = (type: EventType) =>
  z.object({
    ...idsOf[audienceOf(type)],
    subject: subject.extend({
      kind: z.literal(type.subject).meta({ description: "The noun of the record." }),
    }),
    revision,
    changed,
    ...(type.href && { href: present(href) }),
    ...type.data.shape,
  });

export const zodSchemaOf = (type: EventType) => {
  const record = type.record?.schema.nullable().optional();
  const description =
    "With `expand=record`, in the stream and the list: the record as its route shows it at this moment; null where it is gone or not the player's to read.";
  return EventEnvelope.extend({
    type: z.literal(type.type).meta({ description: "What happened." }),
    data: dataSchemaOf(type),
    ...(record && { record: record.meta({ description }) }),
  }).meta({ id: eventSchemaName(type) });
};

const exampleFaction = 40_001;

export function exampleEvent(type: EventType, baseUrl: string) {
  const named: NamedSchemas = new Map();
  const whole = exampleOf(jsonSchemaOf(zodSchemaOf(type), named), named);
  const { record: _, ...example } = whole as z.output<ReturnType<typeof zodSchemaOf>> & {
    record?: unknown;
  };
  const { subject: id, data } = type.example;
  const of = { factionId: exampleFaction, subject: id, own: true };
  return {
    ...example,
    type: type.type,
    data: {
      ...example.data,
      subject: { kind: type.subject, id },
      changed: [...type.changed],
      ...data,
      href: type.href && `${baseUrl}${apiPrefix}${type.href(of)}`,
    },
  };
}

export const webhookHeaders = {
  "webhook-id": {
    description: "The event's `id`; the same in every attempt.",
    example: "evt_2mJ9rV0cXh1bQf7L3sKdWe",
  },
  "webhook-timestamp": {
    description:
      "When this attempt was signed, in Unix seconds. Refuse what is more than five minutes off.",
    example: "1767225600",
  },
  "webhook-signature": {
    description:
      "`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; two, separated by a space, while a secret is being rotated. One right one is enough.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
  "webhook-version": {
    description:
      "The date of the form in which events are written. Fields are only added within one.",
    example: "2026-11-22",
  },
} as const;

export const openApiWebhooks =
  (types: readonly EventType[], baseUrl: string) =>
  (named: NamedSchemas): Record<string, object> =>
    Object.fromEntries(
      types.map((type) => [type.type, { post: webhookOperationOf(type, baseUrl, named) }]),
    );

function webhookOperationOf(type: EventType, baseUrl: string, named: NamedSchemas): object {
  const schema: JsonSchema = jsonSchemaOf(zodSchemaOf(type), named);
  return {
    operationId: `on${eventSchemaName(type)}`,
    summary: type.title,
    description: [type.description, type.scope && `Scope: \`${type.scope}\`.`]
      .filter(Boolean)
      .join("\n\n"),
    tags: ["Events"],
    security: [],
    parameters: Object.entries(webhookHeaders).map(([name, { description, example }]) => ({
      name,
      in: "header",
      required: true,
      description,
      schema: { type: "string", examples: [example] },
    })),
    requestBody: {
      required: true,
      content: { "application/json": { schema, example: exampleEvent(type, baseUrl) } },
    },
    responses: {
      "2XX": {
        description: "Received. Anything else, or nothing within 15 seconds, is sent again.",
      },
      410: { description: "Send nothing more to this address: the endpoint is switched off." },
    },
  };
}

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

/**
 * AsyncAPI ignores siblings of `$ref`, as JSON Schema did up to draft 7, so `allOf` wraps the
 * reference.
 */
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
  payload: jsonSchemaOf(zodSchemaOf(type), named),
  examples: [{ payload: exampleEvent(type, baseUrl) }],
});
