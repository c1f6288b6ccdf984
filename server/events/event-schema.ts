import { z } from "zod";
import type { EventType } from "../event-log/event-type";
import { apiPrefix } from "../machine-path";
import { exampleOf, jsonSchemaOf, type NamedSchemas } from "../rest/json-schema";
import { EventEnvelope, EventSubject } from "./event-record";

/** Who receives a type of event, which decides the ids in its data. */
export function audienceOf({ scope, subject }: EventType): "faction" | "application" | "endpoint" | "everybody" {
  if (scope !== null) return "faction";
  if (subject === "grant") return "application";
  return subject === "webhook_endpoint" ? "endpoint" : "everybody";
}

const { sub, grant_id, faction_id, subject, revision, changed, href } = EventSubject.shape;
/** A field that is there in some types, for one of them, with its words. */
const present = <Field extends z.ZodType>(field: z.ZodOptional<Field>): Field =>
  field.unwrap().meta(field.meta() ?? {});

const idsOf = {
  faction: { sub: present(sub), faction_id: present(faction_id) },
  application: { sub: present(sub), grant_id: present(grant_id) },
  endpoint: {},
  everybody: {},
} as const;

/** `retaliation.opened` is `RetaliationOpenedEvent` among the components. */
export const eventSchemaName = ({ type }: { readonly type: string }): string =>
  `${type
    .split(/[._]/)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join("")}Event`;

/** What the data of a type holds: ids, and what the type adds. */
const dataSchemaOf = (type: EventType) =>
  z.object({
    ...idsOf[audienceOf(type)],
    subject: subject.extend({ kind: z.literal(type.subject).meta({ description: "The noun of the record." }) }),
    revision,
    changed,
    ...(type.href && { href: present(href) }),
    ...type.data.shape,
  });

/** An event of a type, through whichever door. */
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

/** An event of a type as it would come, without its record. */
export function exampleEvent(type: EventType, baseUrl: string) {
  const named: NamedSchemas = new Map();
  const whole = exampleOf(jsonSchemaOf(eventSchemaOf(type), named), named);
  const { record: _, ...example } = whole as z.output<ReturnType<typeof eventSchemaOf>> & { record?: unknown };
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
