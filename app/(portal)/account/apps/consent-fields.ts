import { z } from "zod";
import type { Refused } from "#app/_lib/form-page";
import { UnknownElement } from "#server/failures";

/** The client id is set only for forms on the application's own page. */
export const consentFields = z.object({
  consent_id: z.string().default(""),
  app: z.string().optional(),
});

type Sent = Partial<z.output<typeof consentFields>>;

/** Redirects to the form's page; without a valid client id to the list. */
const after =
  (done: string) =>
  ({ app }: Sent): string =>
    app !== undefined && /^[0-9a-f]{32}$/.test(app)
      ? `/account/apps/${app}?done=${done}`
      : `?done=${done}`;

/** `gone` is for access that ended meanwhile in another tab or device. */
export const consentWays = (done: string, gone = "gone") => ({
  page: "/account/apps",
  done: (_: unknown, sent: Sent) => after(done)(sent),
  refused: ({ code }: Refused, sent: Sent) =>
    code === UnknownElement.code ? after(gone)(sent) : undefined,
});
