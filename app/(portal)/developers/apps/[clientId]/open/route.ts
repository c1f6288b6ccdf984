import { z } from "zod";
import { form } from "#app/_lib/form";
import { GeneralError } from "#server/failures";

export const POST = form({
  page: ({ clientId = "" }) => `/developers/apps/${encodeURIComponent(clientId)}`,
  fields: z.object({ clientId: z.string() }),
  procedure: ({ applications }, { clientId }) => applications.open({ clientId }),
  done: "?done=opened",
  refused: ({ code }) => (code === GeneralError.code ? "?error=incomplete" : undefined),
});
