import { formHandler } from "#app/_lib/form";
import {
  prefillFields,
  readApplicationForm,
} from "#app/(portal)/developers/_parts/application-form-values";

export const POST = formHandler({
  page: "/developers/new",
  typed: prefillFields,
  procedure: ({ applications }, sent) => applications.create(readApplicationForm(sent)),
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
