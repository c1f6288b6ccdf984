import { formHandler } from "#app/_lib/form";
import { nameErrorQuery, nameField } from "../../_parts/confirm-by-name";

export const POST = formHandler({
  page: "/developers/apps/[clientId]/tokens",
  typed: [nameField],
  procedure: ({ applications }, sent) => {
    const [clientId, grantId] = [sent.get("clientId"), sent.get("grant_id")];
    return grantId === undefined
      ? applications.revokeAllGrants({ clientId, confirmName: sent.get(nameField) ?? "" })
      : applications.revokeGrant({ clientId, grantId });
  },
  done: "?done=revoked",
  refused: nameErrorQuery,
});
