import {
  InsufficientFactionPermissions,
  InsufficientResourcePermissions,
  UnknownFaction,
  UnknownVaultRequest,
  VaultRequestNotPending,
} from "#server/failures";
import { endpoint } from "#server/rest/endpoint";
import { cancelRequest } from "../close-request";

export const cancelVaultRequest = endpoint({
  method: "DELETE",
  path: "/faction/<int:faction_id>/banking/<request_id>",
  title: "Cancel Faction Vault Request",
  description:
    "Cancels a pending request, named by its id or its guid. Everybody may cancel their own; a member with banking " +
    "permissions any of the faction. A request of another faction is answered as one that does not exist.",
  tag: "Banking",
  scopes: ["faction:banking"],
  fails: [
    UnknownFaction,
    InsufficientResourcePermissions,
    UnknownVaultRequest,
    InsufficientFactionPermissions,
    VaultRequestNotPending,
  ],
  handle: async ({ ctx, by, params }) => {
    await cancelRequest(ctx, by, { factionId: params.faction_id, request: params.request_id });
  },
});
