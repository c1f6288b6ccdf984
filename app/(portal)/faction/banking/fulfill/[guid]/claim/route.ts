import { formHandler } from "#app/_lib/form";
import { VaultRequestNotPending } from "#server/failures";

export const POST = formHandler({
  page: "/faction/banking/fulfill/[guid]",
  procedure: ({ banking }, sent) => {
    const named = { guid: sent.get("guid") };
    if (sent.get("act") === "claim") return banking.claim(named);
    return sent.get("act") === "release" ? banking.release(named) : undefined;
  },
  refused: ({ code }) => (code === VaultRequestNotPending.code ? "?done=late" : undefined),
});
