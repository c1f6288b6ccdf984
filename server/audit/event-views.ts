import type { Queryable } from "#db/client";
import { isUuid } from "#server/platform/ids";
import type { NamedPlayer } from "#server/users/player";
import { type AuditedAct, wordsOfAct } from "./audit";
import {
  findApplicationNames,
  findNamedPlayers,
  findPlayersOfAccounts,
  type StoredAuditEvent,
} from "./store";

type AuditActor =
  | { readonly kind: "account"; readonly accountId: string; readonly player: NamedPlayer | null }
  /** A chat user without an account. */
  | { readonly kind: "player"; readonly player: NamedPlayer }
  | { readonly kind: "client"; readonly clientId: string; readonly name: string | null }
  | { readonly kind: "operator" }
  /** A job, or an anonymous caller. */
  | { readonly kind: "other"; readonly what: string };

export type NamedEvent = Awaited<ReturnType<typeof nameEvents>>[number];

/** Takes at most three queries. */
export async function nameEvents(on: Queryable, events: readonly StoredAuditEvent[]) {
  const accountIds = events.flatMap(({ accountId, actor }) => [accountId, idIn(actor, "account")]);
  const clientIds = events.flatMap(({ clientId, actor }) => [clientId, idIn(actor, "client")]);
  const playerIds = events.flatMap(({ actor }) => playerIdIn(actor) ?? []);
  const accounts = await findPlayersOfAccounts(on, unique(accountIds));
  const applications = await findApplicationNames(on, unique(clientIds));
  const players = await findNamedPlayers(on, [...new Set(playerIds)]);
  return events.map(({ id, actor, ...event }) => ({
    ...event,
    id: String(id),
    words: wordsOfAct(event.act),
    by: namedActorOf(actor, { accounts, applications, players }),
    player: (event.accountId && accounts.get(event.accountId)) || null,
    application: (event.clientId && applications.get(event.clientId)) || null,
  }));
}

interface Names {
  readonly accounts: ReadonlyMap<string, NamedPlayer>;
  readonly applications: ReadonlyMap<string, string>;
  readonly players: ReadonlyMap<number, NamedPlayer>;
}

function namedActorOf(actor: string, { accounts, applications, players }: Names): AuditActor {
  const accountId = idIn(actor, "account");
  if (accountId) return { kind: "account", accountId, player: accounts.get(accountId) ?? null };
  const playerId = playerIdIn(actor);
  if (playerId)
    return { kind: "player", player: players.get(playerId) ?? { playerId, name: "Player" } };
  const clientId = idIn(actor, "client");
  if (clientId) return { kind: "client", clientId, name: applications.get(clientId) ?? null };
  return actor === "operator" ? { kind: "operator" } : { kind: "other", what: actor };
}

function idIn(actor: string, kind: "account" | "client"): string | undefined {
  if (!actor.startsWith(`${kind}:`)) return undefined;
  const id = actor.slice(kind.length + 1);
  return kind === "client" || isUuid(id) ? id : undefined;
}

const playerIdIn = (actor: string): number | undefined =>
  /^player:\d{1,9}$/.test(actor) ? Number(actor.slice("player:".length)) : undefined;

const unique = (ids: readonly (string | null | undefined)[]): string[] => [
  ...new Set(ids.filter((id): id is string => Boolean(id))),
];

/** The account's owner sees other people only by their role. */
export type DoerForOwner =
  | ("you" | "banker" | "admin" | "developer")
  | ("somebody" | "application" | "anonymous" | "service");

type OtherRole = Extract<DoerForOwner, "banker" | "admin" | "developer">;

export type OwnEvent = ReturnType<typeof asOwnerSees>;

const bankerActs = [
  "vault_request.claimed",
  "vault_request.released",
  "vault_request.cancelled",
  "vault_request.fulfilled",
] as const satisfies readonly AuditedAct[];

export const rolesByAct: ReadonlyMap<string, OtherRole> = new Map([
  ...bankerActs.map((act): [AuditedAct, OtherRole] => [act, "banker"]),
  ["grant.revoked_by_developer", "developer"],
  ["application_member.invited", "developer"],
  ["application_member.changed", "developer"],
  ["application_member.removed", "developer"],
  ["application_tester.added", "developer"],
  ["application_tester.removed", "developer"],
  ["application_transfer.offered", "developer"],
  ["grant.revoked_by_admin", "admin"],
  ["account.banned", "admin"],
  ["account.unbanned", "admin"],
  ["application.verified", "admin"],
  ["application.unverified", "admin"],
  ["application.suspended", "admin"],
  ["application.resumed", "admin"],
  ["verification_request.declined", "admin"],
  ["second_factor.reset", "admin"],
] satisfies [AuditedAct, OtherRole][]);

/** Hides addresses and request ids of other people's requests. */
export function asOwnerSees(event: NamedEvent, ownerAccountId: string) {
  const { id, at, act, words, application, clientId } = event;
  const by = doerForOwner(event, ownerAccountId);
  // The application's server sent the vault request, not the player.
  const own = by === "you" && !(clientId !== null && act.startsWith("vault_request."));
  const { key: _, ...details } = event.details;
  return {
    id,
    at,
    act,
    words,
    application,
    clientId,
    by,
    /** Named, because vault requests name the banker, too. */
    banker: by === "banker" ? playerOf(event.by) : null,
    address: own ? event.address : null,
    requestId: own ? event.requestId : null,
    details: by === "somebody" ? {} : details,
  };
}

function doerForOwner({ by, act }: NamedEvent, ownerAccountId: string): DoerForOwner {
  if (by.kind === "client") return "application";
  if (by.kind === "other") return by.what === "anonymous" ? "anonymous" : "service";
  if (by.kind === "operator") return rolesByAct.get(act) ?? "service";
  if (by.kind === "account" && by.accountId === ownerAccountId) return "you";
  return rolesByAct.get(act) ?? "somebody";
}

const playerOf = (by: AuditActor): NamedPlayer | null =>
  by.kind === "account" || by.kind === "player" ? by.player : null;

/** Omits addresses and request ids of other members, and names of admins. */
export function asTeamSees(event: NamedEvent) {
  const { id, at, act, words, by, player } = event;
  const { secretId: _, version: __, ...details } = event.details;
  const doer = playerOf(by);
  const isOfTeam = act.startsWith("application_");
  return {
    id,
    at,
    act,
    words,
    details,
    by: doerForTeam(event),
    /** The member that a change of the team concerns, unless it is the actor. */
    about: isOfTeam && player?.playerId !== doer?.playerId ? player : null,
  };
}

function doerForTeam({
  by,
  act,
  details,
}: NamedEvent): NamedPlayer | "admin" | "deleted-account" | "service" {
  // With `changed`, a member's own edit removed the mark of an admin.
  if (rolesByAct.get(act) === "admin" && details.changed === undefined) return "admin";
  if (by.kind === "operator") return "admin";
  if (by.kind !== "account") return "service";
  return by.player ?? "deleted-account";
}
