import type { EventType } from "../event-log/event-type";
import { type JsonSchema, jsonSchemaOf, type NamedSchemas } from "../rest/json-schema";
import { eventSchemaName, eventSchemaOf, exampleEvent } from "./event-schema";

/** The headers of every webhook, as Standard Webhooks names them. */
export const webhookHeaders = {
  "webhook-id": { description: "The event's `id`; the same in every attempt.", example: "evt_2mJ9rV0cXh1bQf7L3sKdWe" },
  "webhook-timestamp": {
    description: "When this attempt was signed, in Unix seconds. Refuse what is more than five minutes off.",
    example: "1767225600",
  },
  "webhook-signature": {
    description:
      "`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; two, separated by a space, while a secret is being rotated. One right one is enough.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
  "webhook-version": {
    description: "The date of the form in which events are written. Fields are only added within one.",
    example: "2026-11-22",
  },
} as const;

/** What is sent to endpoints of applications: the `webhooks` section of the OpenAPI document, a fold over the list of types. */
export const openApiWebhooks =
  (types: readonly EventType[], baseUrl: string) =>
  (named: NamedSchemas): Record<string, object> =>
    Object.fromEntries(types.map((type) => [type.type, { post: operationOf(type, baseUrl, named) }]));

function operationOf(type: EventType, baseUrl: string, named: NamedSchemas): object {
  const schema: JsonSchema = jsonSchemaOf(eventSchemaOf(type), named);
  return {
    operationId: `on${eventSchemaName(type)}`,
    summary: type.title,
    description: [type.description, type.scope && `Scope: \`${type.scope}\`.`].filter(Boolean).join("\n\n"),
    tags: ["Events"],
    security: [],
    parameters: Object.entries(webhookHeaders).map(([name, { description, example }]) => ({
      name,
      in: "header",
      required: true,
      description,
      schema: { type: "string", examples: [example] },
    })),
    requestBody: { required: true, content: { "application/json": { schema, example: exampleEvent(type, baseUrl) } } },
    responses: {
      "2XX": { description: "Received. Anything else, or nothing within 15 seconds, is sent again." },
      410: { description: "Send nothing more to this address: the endpoint is switched off." },
    },
  };
}
