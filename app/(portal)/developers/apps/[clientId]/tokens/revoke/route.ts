import { form } from "#app/_lib/form";
import { refusedName } from "../../_parts/cut-by-name";

export const POST = form({
  page: "/developers/apps/[clientId]/tokens",
  procedure: ({ applications }, sent) => {
    const [clientId, grantId] = [sent.get("clientId"), sent.get("grant_id")];
    return grantId === undefined
      ? applications.revokeAllGrants({ clientId, confirmName: sent.get("confirm_name") ?? "" })
      : applications.revokeGrant({ clientId, grantId });
  },
  done: "?done=revoked",
  refused: refusedName,
});
