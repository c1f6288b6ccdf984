import { z } from "zod";
import type { Refused } from "#app/_lib/form-page";
import { UnknownElement } from "#server/failures";

/**
 * The fields of a connected application's forms: the consent's account, and the client id if the
 * form had its own page.
 */
export const consentFields = z.object({
  consent_id: z.string().default(""),
  app: z.string().optional(),
});

type Sent = Partial<z.output<typeof consentFields>>;

/** Back to the page that the form stood on, with what was done; anything but a client id leads to the list of all. */
const after =
  (done: string) =>
  ({ app }: Sent): string =>
    app !== undefined && /^[0-9a-f]{32}$/.test(app)
      ? `/account/apps/${app}?done=${done}`
      : `?done=${done}`;

/** The pages that a form of a connected application leads to. Access that ended meanwhile, from another tab or device, is `gone`. */
export const consentWays = (done: string, gone = "gone") => ({
  page: "/account/apps",
  done: (_: unknown, sent: Sent) => after(done)(sent),
  refused: ({ code }: Refused, sent: Sent) =>
    code === UnknownElement.code ? after(gone)(sent) : undefined,
});
