import { formHandler } from "#app/_lib/form";
import { VaultRequestNotPending } from "#server/failures";

/** A confirmation that comes too late returns to the page, which shows the request's state. */
export const POST = formHandler({
  page: "/faction/banking/fulfill/[guid]",
  procedure: ({ banking }, sent) =>
    banking.fulfil({ guid: sent.get("guid"), again: sent.get("again") === "yes" }),
  done: "?done=fulfilled",
  refused: ({ code }) => (code === VaultRequestNotPending.code ? "?done=late" : undefined),
});
