import { z } from "zod";
import { form } from "#app/_lib/form";

const pageOf = (clientId = "") => `/developers/apps/${encodeURIComponent(clientId)}/webhooks`;

export const POST = form({
  page: ({ clientId }) => pageOf(clientId),
  fields: z.object({
    clientId: z.string(),
    url: z.string().default(""),
    description: z.string().default(""),
    type: z.array(z.string()),
  }),
  procedure: ({ webhooks }, { type, ...input }) => webhooks.add({ ...input, types: type }),
  done: ({ endpointId, secret }, { clientId }) => ({
    status: 200,
    title: "Store this secret now. It is shown once.",
    sentence: "Your endpoint checks the signature of each event with it. Then verify the endpoint.",
    secret,
    on: { href: `${pageOf(clientId)}/${endpointId}`, text: "Open the endpoint" },
  }),
});
