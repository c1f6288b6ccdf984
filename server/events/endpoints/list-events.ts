import { z } from "zod";
import { endpoint, reply } from "#server/rest/endpoint";
import { acceptEventStream } from "../accept-stream";
import { beginningOf, EventQuery, refuseOtherPositions } from "../contract";
import { cursorPattern } from "../cursor";
import { AnyEvent } from "../event-record";
import { awaitEventPage } from "../wait-for-events";

export const listEvents = endpoint({
  method: "GET",
  path: "/events",
  title: "List Events",
  description:
    "What happened that the token may be told, in the order in which it happened; the last seven days are kept. Which events those are depends on " +
    "the token's scopes, as they were when it happened and as they are now. Keep `cursor` and come back with it as `after`: nothing is missed and " +
    "nothing is told twice. With `Accept: text/event-stream` the same address is a stream.",
  tag: "Events",
  scopes: [],
  query: EventQuery,
  returns: z.object({
    events: z.array(AnyEvent),
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
