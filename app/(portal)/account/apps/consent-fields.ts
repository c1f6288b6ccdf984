import { z } from "zod";
import type { Refused } from "#app/_lib/form";
import { UnknownElement } from "#server/failures";

/** What the forms of a connected application say: whose access, and the client id where it was sent from its own page. */
export const consentFields = z.object({ consent_id: z.string().default(""), app: z.string().optional() });

type Sent = Partial<z.output<typeof consentFields>>;

/** Back to the page that the form stood on, with what was done; anything but a client id leads to the list of all. */
const after =
  (done: string) =>
  ({ app }: Sent): string =>
    app !== undefined && /^[0-9a-f]{32}$/.test(app) ? `/account/apps/${app}?done=${done}` : `?done=${done}`;

/** Where a form of a connected application leads. Access that ended meanwhile, from another tab or device, is said to be `gone`. */
export const consentWays = (done: string, gone = "gone") => ({
  page: "/account/apps",
  done: (_: unknown, sent: Sent) => after(done)(sent),
  refused: ({ code }: Refused, sent: Sent) => (code === UnknownElement.code ? after(gone)(sent) : undefined),
});
