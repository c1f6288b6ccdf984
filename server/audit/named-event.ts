import type { Queryable } from "#db/client";
import { auditedActs } from "./audit";
import {
  findAccountNames,
  findApplicationNames,
  findPlayerNames,
  type NamedPlayer,
  type StoredAuditEvent,
} from "./store";

/** Who did something. */
export type AuditActor =
  | { readonly kind: "account"; readonly accountId: string; readonly player: NamedPlayer | null }
  /** A player who acted in the chat and has no account. */
  | { readonly kind: "player"; readonly player: NamedPlayer }
  | { readonly kind: "client"; readonly clientId: string; readonly name: string | null }
  /** Who runs the service. */
  | { readonly kind: "operator" }
  /** A job of ours, or somebody who was not signed in. */
  | { readonly kind: "other"; readonly what: string };

/** An event with the names of those in it. */
export interface NamedEvent extends Omit<StoredAuditEvent, "id" | "actor"> {
  readonly id: string;
  /** The act in words; its plain name where this release does not know it any more. */
  readonly words: string;
  readonly by: AuditActor;
  /** Whose rights it was about. */
  readonly player: NamedPlayer | null;
  readonly application: string | null;
}

/** Puts names to the ids in events: three queries at most, however many they are. */
export async function nameEvents(on: Queryable, events: readonly StoredAuditEvent[]): Promise<NamedEvent[]> {
  const accountIds = events.flatMap(({ accountId, actor }) => [accountId, idIn(actor, "account")]);
  const clientIds = events.flatMap(({ clientId, actor }) => [clientId, idIn(actor, "client")]);
  const playerIds = events.flatMap(({ actor }) => playerIdIn(actor) ?? []);
  const accounts = await findAccountNames(on, unique(accountIds));
  const applications = await findApplicationNames(on, unique(clientIds));
  const players = await findPlayerNames(on, [...new Set(playerIds)]);
  return events.map(({ id, actor, ...event }) => ({
    ...event,
    id: String(id),
    words: isAct(event.act) ? auditedActs[event.act] : event.act,
    by: auditActorOf(actor, { accounts, applications, players }),
    player: (event.accountId && accounts.get(event.accountId)) || null,
    application: (event.clientId && applications.get(event.clientId)) || null,
  }));
}

interface Names {
  readonly accounts: ReadonlyMap<string, NamedPlayer>;
  readonly applications: ReadonlyMap<string, string>;
  readonly players: ReadonlyMap<number, NamedPlayer>;
}

function auditActorOf(actor: string, { accounts, applications, players }: Names): AuditActor {
  const accountId = idIn(actor, "account");
  if (accountId) return { kind: "account", accountId, player: accounts.get(accountId) ?? null };
  const playerId = playerIdIn(actor);
  if (playerId) return { kind: "player", player: players.get(playerId) ?? { playerId, name: "Player" } };
  const clientId = idIn(actor, "client");
  if (clientId) return { kind: "client", clientId, name: applications.get(clientId) ?? null };
  return actor === "operator" ? { kind: "operator" } : { kind: "other", what: actor };
}

const accountForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id in an actor such as "account:<id>"; undefined where the actor is of another kind. */
function idIn(actor: string, kind: "account" | "client"): string | undefined {
  if (!actor.startsWith(`${kind}:`)) return undefined;
  const id = actor.slice(kind.length + 1);
  return kind === "client" || accountForm.test(id) ? id : undefined;
}

/** The number in an actor such as "player:<number>". */
const playerIdIn = (actor: string): number | undefined =>
  /^player:\d{1,9}$/.test(actor) ? Number(actor.slice("player:".length)) : undefined;

const isAct = (act: string): act is keyof typeof auditedActs => Object.hasOwn(auditedActs, act);

const unique = (ids: readonly (string | null | undefined)[]): string[] => [
  ...new Set(ids.filter((id): id is string => Boolean(id))),
];
