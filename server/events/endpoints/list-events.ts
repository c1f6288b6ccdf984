import { z } from "zod";
import { secondMs } from "#server/platform/time";
import { defineEndpoint, reply } from "#server/rest/endpoint";
import { eventTypePattern } from "../../event-log/event-type";
import { targetOf } from "../../rest/request-context";
import { badFields } from "../../rest/respond";
import { queryInteger } from "../../rest/shapes";
import { cursorPattern } from "../cursor";
import { EventRecordSchema } from "../event-record";
import { acceptEventStream } from "../event-stream";
import { awaitEventPage, type Beginning } from "../read-page";

const mostTypes = 50;
const latestSecond = 99_999_999_999;

const position = z.string().max(64).optional();

export const EventQuery = z.object({
  after: position.meta({
    pattern: cursorPattern,
    description:
      "The `cursor` of an event, or of a page: what happened after it. Without it the list begins with the oldest that is kept, and the stream with what happens next.",
  }),
  lastEventId: position.meta({
    pattern: cursorPattern,
    description:
      "The same as `after`, which it wins over: some EventSource libraries send it when they reconnect, because they cannot send the header `Last-Event-ID`.",
  }),
  types: z
    .string()
    .max(1_000)
    .transform((text, context) => {
      const names = text.split(",").map((name) => name.trim());
      if (names.length <= mostTypes && names.every((name) => eventTypePattern.test(name)))
        return names;
      context.addIssue({ code: "custom", message: "must be types of events, separated by commas" });
      return z.NEVER;
    })
    .optional()
    .meta({
      description: "Types of events, separated by commas. Without it: all.",
      examples: ["retaliation.opened,crime.delayed"],
    }),
  expand: z
    .literal("record")
    .optional()
    .meta({
      description: "`record`: each event carries its record, as its route shows it at this moment.",
      examples: ["record"],
    }),
  since: z
    .string()
    .regex(/^\d{1,11}$/, "must be Unix seconds")
    .meta({ type: "integer", minimum: 0, maximum: latestSecond, pattern: undefined })
    .transform((text) => new Date(Number(text) * secondMs))
    .optional()
    .meta({
      description: "Instead of `after`: what happened at this moment or later, in Unix seconds.",
      examples: [1_767_225_600],
    }),
  limit: queryInteger({ min: 1, max: 100 })
    .default(50)
    .meta({ description: "The most events to return." }),
  wait: queryInteger({ min: 0, max: 25 })
    .default(0)
    .meta({
      description: "Seconds to wait for the first event where there is none yet.",
      examples: [20],
    }),
});

type Positions = Pick<z.output<typeof EventQuery>, "after" | "lastEventId" | "since">;

export function beginningOf({ lastEventId, after, since }: Positions): Beginning | undefined {
  const cursor = lastEventId || after;
  if (cursor) return { after: cursor };
  return since && { since };
}

const declared: readonly string[] = Object.keys(EventQuery.shape);
const looksLikePosition =
  /cursor|position|offset|event[-_]?id|^(?:after|from|last|resume|seq|since|start)/i;

/** An ignored misspelled position would silently lose events. @throws UnknownElement */
function refuseOtherPositions({ url }: Request): void {
  const names = new URLSearchParams(targetOf(url).search).keys();
  const others = [...new Set(names)].filter(
    (name) => looksLikePosition.test(name) && !declared.includes(name),
  );
  if (others.length === 0) return;
  const message = "is unknown; the position of a stream is `after`, or the header Last-Event-ID";
  throw badFields(others.map((field) => ({ field, message })));
}

export const listEvents = defineEndpoint({
  method: "GET",
  path: "/events",
  title: "List Events",
  did: "Read what happened to you and your faction",
  description:
    "What happened that the token may be told, in the order in which it happened; the last seven days are kept. Which events those are depends on " +
    "the token's scopes, as they were when it happened and as they are now. Keep `cursor` and come back with it as `after`: nothing is missed and " +
    "nothing is told twice. With `Accept: text/event-stream` the same address is a stream.",
  tag: "Events",
  scopes: [],
  query: EventQuery,
  returns: z.object({
    events: z.array(EventRecordSchema),
    cursor: z.string().meta({
      pattern: cursorPattern,
      description: "Where to go on, also after a page without events.",
      examples: ["4nM0m1Zp0s8wC6b1n3kTqB5c2dE"],
    }),
    more: z.boolean().meta({ description: "Whether more may follow at once.", examples: [false] }),
    oldest: z.string().meta({
      pattern: cursorPattern,
      description: "Where the log begins.",
      examples: ["4nM0m1Zp0s8wC6b1n3kTqB5c2dE"],
    }),
  }),
  stream: {
    description:
      "Server-sent events. `event` is the type, `id` the cursor, `data` the event as in the list.",
    example: `id: 4nM0m1Zp0s8wC6b1n3kTqB5c2dE\nevent: retaliation.opened\ndata: {"id":"evt_2mJ9rV0cXh1bQf7L3sKdWe","type":"retaliation.opened",…}\n\n`,
    open: async ({ ctx, by, query: { types, expand, ...query }, request }) => {
      refuseOtherPositions(request);
      const header = request.headers.get("last-event-id");
      const from = beginningOf(header ? { after: header } : query) ?? { at: "newest" };
      return acceptEventStream(ctx, { by, request, from, types, expand: expand === "record" });
    },
  },
  fails: [],
  limit: { policy: "events", setting: "events" },
  handle: async ({ ctx, by, query, request }) => {
    const { types, limit, expand, wait } = query;
    const from = beginningOf(query) ?? ({ at: "oldest" } as const);
    const asked = { from, types, limit, expand: expand === "record", seconds: wait, request };
    const page = await awaitEventPage(ctx, by, asked);
    return reply(
      { ...page, events: [...page.events] },
      { next: page.more ? { after: page.cursor } : undefined },
    );
  },
});
