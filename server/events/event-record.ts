import { hash } from "node:crypto";
import { z } from "zod";
import type { Context } from "../context";
import { eventTypes } from "../event-types";
import { apiPrefix } from "../machine-path";
import { cursorPattern, writeEventCursor } from "./cursor";
import type { VisibleEvent } from "./visible-events";

const Cursor = z.string().meta({
  pattern: cursorPattern,
  description: "Where to go on after this event, in the stream and in the list alike. Opaque.",
  examples: ["4nM0m1Zp0s8wC6b1n3kTqB5c2dE"],
});

const byType = new Map(eventTypes.map((type) => [type.type, type]));

/** Undefined for a type of an earlier release. */
export const findEventType = (type: string) => byType.get(type);

export const EventEnvelope = z.object({
  id: z.string().meta({
    description: "Names the event; the same in all doors and in every attempt.",
    examples: ["evt_2mJ9rV0cXh1bQf7L3sKdWe"],
  }),
  type: z
    .enum(eventTypes.map(({ type }) => type))
    .meta({ description: "What happened.", examples: ["retaliation.opened"] }),
  timestamp: z.iso
    .datetime()
    .meta({ description: "When it happened.", examples: ["2026-01-01T00:00:00.000Z"] }),
  cursor: Cursor,
});

export const CommonEventData = z.object({
  sub: z
    .string()
    .optional()
    .meta({
      description:
        "The player whose grant opens the event, as introspection names them. Absent where every application is told.",
      examples: ["2400001"],
    }),
  grant_id: z
    .string()
    .optional()
    .meta({
      description: "Of events of grants: the grant.",
      examples: ["0198c2f4-6a0e-7cc3-9a51-3f1c7e5a2b10"],
    }),
  faction_id: z
    .int()
    .optional()
    .meta({ description: "Of events of factions: the faction.", examples: [40_001] }),
  subject: z.object({
    kind: z
      .string()
      .meta({ description: "The noun of the record that changed.", examples: ["retaliation"] }),
    id: z.string().meta({
      description: "Its id in the API, as text.",
      examples: ["3f9d0c4b7a5e4d1f8b6c2a1e0d9f8c7b"],
    }),
  }),
  revision: z.int().meta({
    description: "Grows with every change of one record: what comes with a lower one is older.",
    examples: [1_767_225_600_123_456],
  }),
  changed: z.array(z.string()).meta({
    description: "Fields of the record that this happening changes.",
    examples: [["status"]],
  }),
  href: z
    .string()
    .optional()
    .meta({
      description: "Where the record is read with the player's token.",
      examples: ["https://adjutant.example/api/v1/user"],
    }),
});

export const EventRecordSchema = EventEnvelope.extend({
  data: z.looseObject(CommonEventData.shape),
  record: z
    .unknown()
    .optional()
    .meta({
      type: ["object", "null"],
      description:
        "With `expand=record`: the record as its route shows it at this moment; null where it is gone or not the player's to read.",
    }),
}).meta({ id: "Event" });

export type EventRecordOut = z.output<typeof EventRecordSchema>;

/** Ids differ per reader, so that readers cannot correlate events. */
export const publicId = (id: string, reader: VisibleEvent["reader"]): string =>
  `evt_${hash("sha256", `${id} ${reader ? `${reader.clientId} ${reader.playerId}` : "everybody"}`, "base64url").slice(0, 22)}`;

export function eventRecordOf(
  ctx: Context,
  { event, reader }: VisibleEvent,
  { clientId, epoch }: { readonly clientId: string; readonly epoch: number },
): EventRecordOut | undefined {
  const type = findEventType(event.type);
  if (!type) return undefined;
  const { factionId, subject, revision } = event;
  const own = event.playerId === null || event.playerId === reader?.playerId;
  return {
    id: publicId(event.id, reader),
    type: event.type,
    timestamp: event.at.toISOString(),
    cursor: writeEventCursor(ctx, clientId, { epoch, seq: event.seq }),
    data: {
      ...(reader && { sub: String(reader.playerId) }),
      ...(event.grantId !== null && { grant_id: event.grantId }),
      ...(factionId !== null && { faction_id: factionId }),
      subject: { kind: type.subject, id: subject },
      revision,
      changed: [...type.changed],
      ...(type.href && {
        href: `${ctx.settings.baseUrl}${apiPrefix}${type.href({ factionId, subject, own })}`,
      }),
      ...event.data,
    },
  };
}

/** Reads with the reader's current rights; undefined for types without a record. */
export async function findSubjectRecord(
  ctx: Context,
  { event, reader }: VisibleEvent,
): Promise<unknown> {
  const record = findEventType(event.type)?.record;
  if (!record || !reader) return undefined;
  const { factionId, playerId, subject } = event;
  const found = await record.find(ctx, { actor: reader, factionId, playerId, subject });
  return found === null || found === undefined ? null : record.schema.parse(found);
}
