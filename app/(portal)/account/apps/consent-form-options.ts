import type { SentForm } from "#app/_lib/form";
import { UnknownElement } from "#server/failures";
import { isClientId } from "#server/oauth/clients/client";
import type { Refusal } from "#server/trpc/refusal";

const after =
  (done: string) =>
  (sent: SentForm): string => {
    const clientId = sent.get("app") ?? "";
    return isClientId(clientId) ? `/account/apps/${clientId}?done=${done}` : `?done=${done}`;
  };

/** @param gone result word if another tab or device ended the access meanwhile */
export const consentFormOptions = (done: string, gone = "gone") => ({
  page: "/account/apps",
  done: (_: unknown, sent: SentForm) => after(done)(sent),
  refused: ({ code }: Refusal, sent: SentForm) =>
    code === UnknownElement.code ? after(gone)(sent) : undefined,
});
