import { z } from "zod";
import {
  InsufficientFactionPermissions,
  InsufficientResourcePermissions,
  UnknownFaction,
} from "#server/failures";
import { writePlace } from "#server/platform/paging";
import { secondMs } from "#server/platform/time";
import { endpoint, reply } from "#server/rest/endpoint";
import { isCursor } from "#server/rest/shapes";
import { ListedVaultRequest, listedRequestRecord, VaultRequestQuery } from "../contract";
import { listRequests } from "../list-requests";

export const listVaultRequests = endpoint({
  method: "GET",
  path: "/faction/<int:faction_id>/banking",
  title: "List Vault Requests",
  description:
    "The user's own vault requests, or with `scope=faction` those of all members, for bankers; newest first. Where more " +
    'follow, the `Link` header names the next page (`rel="next"`).',
  tag: "Banking",
  scopes: ["faction:banking"],
  query: VaultRequestQuery,
  returns: z.array(ListedVaultRequest),
  fails: [UnknownFaction, InsufficientResourcePermissions, InsufficientFactionPermissions],
  etag: true,
  handle: async ({ ctx, by, params, query }) => {
    const { scope, limit, before, below } = query;
    const wanted = {
      factionId: params.faction_id,
      ...{ scope, limit, below },
      after: isCursor(before) ? { at: new Date(before.place), id: before.row } : undefined,
      pendingOnly: (query.search_type ?? query.type ?? "pending") === "pending",
      before: typeof before === "number" ? new Date(before * secondMs) : undefined,
    };
    const { requests, next } = await listRequests(ctx, by, wanted);
    const record = requests.map(listedRequestRecord);
    if (next === null) return record;
    return reply(record, {
      next: { before: writePlace({ place: next.at.getTime(), row: next.id }) },
    });
  },
});
