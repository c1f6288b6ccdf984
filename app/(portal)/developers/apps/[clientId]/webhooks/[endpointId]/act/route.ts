import { z } from "zod";
import { form } from "#app/_lib/form";
import { TooManyRequests } from "#server/failures";
import { endpointPath, endpointsPath } from "../../_parts/own-endpoint";

const doneWords = {
  change: "changed",
  move: "moved",
  pause: "paused",
  resume: "resumed",
  remove: "removed",
} as const;

/** Acts with their result on this page are procedures instead. */
export const POST = form({
  page: endpointPath,
  fields: z.object({
    clientId: z.string(),
    endpointId: z.string(),
    act: z.enum(["change", "move", "pause", "resume", "remove"]),
    url: z.string().default(""),
    description: z.string().default(""),
    type: z.array(z.string()),
    from: z.enum(["stopped", "now"]).default("stopped"),
  }),
  procedure: async ({ webhooks }, { act, url, description, type: types, from, ...key }) => {
    if (act === "change") await webhooks.change({ ...key, description, types });
    else if (act === "move") await webhooks.change({ ...key, url });
    else if (act === "pause") await webhooks.pause(key);
    else if (act === "resume") await webhooks.resume({ ...key, from });
    else await webhooks.remove(key);
  },
  done: (_, { act, ...key }) => {
    const done = `?done=${doneWords[act]}`;
    if (act === "remove") return `${endpointsPath(key.clientId)}${done}`;
    return act === "change" ? `${endpointPath(key)}/events${done}` : done;
  },
  refused: ({ code }) => (code === TooManyRequests.code ? `?error=${code}` : undefined),
});
