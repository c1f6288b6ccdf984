import { formHandler } from "#app/_lib/form";
import { nameErrorQuery } from "../../_parts/confirm-by-name";

export const POST = formHandler({
  page: "/developers/apps/[clientId]/tokens",
  procedure: ({ applications }, sent) => {
    const [clientId, grantId] = [sent.get("clientId"), sent.get("grant_id")];
    return grantId === undefined
      ? applications.revokeAllGrants({ clientId, confirmName: sent.get("confirm_name") ?? "" })
      : applications.revokeGrant({ clientId, grantId });
  },
  done: "?done=revoked",
  refused: nameErrorQuery,
});
