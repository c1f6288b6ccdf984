const viewer = ["figures"] as const;
const developer = [...viewer, "requests", "tokens", "settings", "secrets", "webhooks"] as const;
/**
 * `settings` includes the domain; `ownership` is team, transfer, opening to players, a request for
 * verification, and deletion.
 */
const owner = [...developer, "ownership"] as const;

const rightsOf = { owner, developer, viewer } as const;

export type ApplicationRole = keyof typeof rightsOf;
export type ApplicationRight = (typeof owner)[number];

export const memberRoles = ["developer", "viewer"] as const satisfies readonly ApplicationRole[];
export type MemberRole = (typeof memberRoles)[number];

/** The owner does not count, but invitations do. */
export const mostMembers = 10;

export const mostTestPlayers = 25;

export const mayDo = (role: ApplicationRole | null, right: ApplicationRight): boolean =>
  role !== null && (rightsOf[role] as readonly ApplicationRight[]).includes(right);

export const rolesWithRight = (right: ApplicationRight): MemberRole[] =>
  memberRoles.filter((role) => mayDo(role, right));
