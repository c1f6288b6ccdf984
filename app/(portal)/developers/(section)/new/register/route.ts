import { z } from "zod";
import { draftOwner, newApplicationDraft } from "#app/_lib/draft";
import { form } from "#app/_lib/form";
import { readApplicationForm } from "#app/(portal)/developers/_parts/typed-application";
import type { ApplicationInput } from "#server/oauth/clients/contract";

const Sent = z.object({
  [draftOwner]: z.string().default(""),
  kind: z.string().default(""),
  name: z.string().default(""),
  scopes: z.string().default(""),
  redirectUris: z.string().default(""),
});

export const POST = form({
  page: newApplicationDraft.path,
  fields: Sent,
  typed: (sent) => sent,
  draft: newApplicationDraft,
  // The procedure validates the input.
  procedure: ({ applications }, sent) =>
    applications.create(readApplicationForm(new URLSearchParams(sent)) as ApplicationInput),
  done: ({ clientId, clientSecret }) => ({
    status: 200,
    title:
      clientSecret === null ? "Registered" : "Registered. Store the secret now: it is shown once",
    sentence: `The client ID is ${clientId}.`,
    secret: clientSecret ?? undefined,
    on: { href: `/developers/apps/${clientId}`, text: "Open the application" },
  }),
  refused: ({ code, field }) =>
    field ? "?error=fields" : code === undefined ? undefined : `?error=${code}`,
});
