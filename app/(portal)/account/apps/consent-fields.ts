import type { Sent } from "#app/_lib/form";
import { UnknownElement } from "#server/failures";
import { isClientId } from "#server/oauth/clients/client";
import type { Refusal } from "#server/trpc/refusal";

/** Redirects to the form's page, which is the application's own if the form names its client id. */
const after =
  (done: string) =>
  (sent: Sent): string => {
    const clientId = sent.get("app") ?? "";
    return isClientId(clientId) ? `/account/apps/${clientId}?done=${done}` : `?done=${done}`;
  };

/** `gone` is for access that ended meanwhile in another tab or device. */
export const consentWays = (done: string, gone = "gone") => ({
  page: "/account/apps",
  done: (_: unknown, sent: Sent) => after(done)(sent),
  refused: ({ code }: Refusal, sent: Sent) =>
    code === UnknownElement.code ? after(gone)(sent) : undefined,
});
