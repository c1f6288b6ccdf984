import { formHandler } from "#app/_lib/form";
import { GeneralError } from "#server/failures";

export const POST = formHandler({
  page: "/developers/apps/[clientId]",
  procedure: ({ applications }, sent) => applications.open({ clientId: sent.get("clientId") }),
  done: "?done=opened",
  refused: ({ code }) => (code === GeneralError.code ? "?error=incomplete" : undefined),
});
