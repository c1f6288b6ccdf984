import { z } from "zod";
import type { EventType } from "../event-log/event-type";
import { apiPrefix } from "../machine-path";
import { exampleOf, type JsonSchema, jsonSchemaOf, type NamedSchemas } from "../rest/json-schema";
import { EventEnvelope, EventSubject } from "./event-record";

export function audienceOf({
  scope,
  tag,
  subject,
}: EventType): "faction" | "application" | "endpoint" | "everybody" {
  if (scope !== null) return "faction";
  if (tag === "Grants") return "application";
  return subject === "webhook_endpoint" ? "endpoint" : "everybody";
}

const { sub, grant_id, faction_id, subject, revision, changed, href } = EventSubject.shape;
/** Makes an optional field required for one type. */
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

export const eventSchemaOf = (type: EventType) => {
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
  const whole = exampleOf(jsonSchemaOf(eventSchemaOf(type), named), named);
  const { record: _, ...example } = whole as z.output<ReturnType<typeof eventSchemaOf>> & {
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

/** The `webhooks` section of OpenAPI, derived from the event types. */
export const openApiWebhooks =
  (types: readonly EventType[], baseUrl: string) =>
  (named: NamedSchemas): Record<string, object> =>
    Object.fromEntries(
      types.map((type) => [type.type, { post: webhookOperationOf(type, baseUrl, named) }]),
    );

function webhookOperationOf(type: EventType, baseUrl: string, named: NamedSchemas): object {
  const schema: JsonSchema = jsonSchemaOf(eventSchemaOf(type), named);
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
