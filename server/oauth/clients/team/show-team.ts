import type { PortalUser } from "#server/actor";
import { listTeamHistory } from "#server/audit/read-events";
import type { Context } from "#server/context";
import type { NamedPlayer } from "#server/users/player";
import { requireApplication } from "../own-applications";
import { type Invitation, listInvitationsOf, listMembers, type TeamMember } from "./members-store";
import { type ApplicationRole, mayDo } from "./rights";

export interface TeamView {
  readonly role: ApplicationRole;
  readonly owner: NamedPlayer;
  /** Invitations only for the owner. */
  readonly members: readonly Omit<TeamMember, "accountId" | "clientId">[];
}

/** @throws UnknownOAuthClient */
export async function showTeam(
  ctx: Context,
  user: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<TeamView> {
  const on = ctx.database.query;
  const application = await requireApplication(on, user, clientId, "figures");
  const { role, ownerPlayerId, ownerName } = application;
  const members = await listMembers(on, clientId);
  return {
    role,
    owner: { playerId: ownerPlayerId, name: ownerName },
    members: members
      .filter(({ joinedAt }) => joinedAt || role === "owner")
      .map(({ accountId: _, clientId: __, ...member }) => member),
  };
}

export const listInvitations = (
  ctx: Context,
  { accountId }: PortalUser,
): Promise<readonly Invitation[]> => listInvitationsOf(ctx.database, accountId);

/** A webhook's URL may hold a secret of its receiver, and a viewer sees no list of test players. */
const nounsOf = (role: ApplicationRole): string[] => [
  ...["application", "application_member", "application_transfer", "application_domain"],
  ...["client_secret", "verification_request"],
  ...(mayDo(role, "settings") ? ["application_tester"] : []),
  ...(mayDo(role, "webhooks") ? ["webhook", "webhook_secret"] : []),
];

/**
 * Of 90 days, newest first.
 * @throws UnknownOAuthClient
 */
export async function showHistory(
  ctx: Context,
  user: PortalUser,
  { clientId, ...asked }: { readonly clientId: string; readonly before?: string | undefined },
) {
  const { role } = await requireApplication(ctx.database.query, user, clientId, "figures");
  return listTeamHistory(ctx, { clientId, nouns: nounsOf(role), ...asked });
}
