import type { AuditedAct } from "./audit";
import type { AuditActor, NamedEvent } from "./named-event";
import type { NamedPlayer } from "./store";

/** Who did something to an account, as far as its owner may know: another person by the role in which they did it. */
export type OwnersDoer =
  | "you"
  | "banker"
  | "admin"
  | "developer"
  | "somebody"
  | "application"
  | "anonymous"
  | "service";

/** An event as the account's owner may see it: on the history page, and in the export. */
export interface OwnEvent extends Pick<NamedEvent, "id" | "at" | "act" | "words" | "application" | "clientId"> {
  readonly by: OwnersDoer;
  /** The banker, named by the vault request as well. Null for everybody else. */
  readonly banker: NamedPlayer | null;
  /** The owner's own address; null for anybody else's. */
  readonly address: string | null;
  /** Of the owner's own request; null for anybody else's. */
  readonly requestId: string | null;
  readonly details: NamedEvent["details"];
}

type OtherRole = Extract<OwnersDoer, "banker" | "admin" | "developer">;

const bankerActs = ["vault-request-cancelled", "vault-request-fulfilled"] as const satisfies readonly AuditedAct[];

/** Acts that somebody else does to an account, and the role that it takes: nobody without it gets that far. */
export const roleOfAct: ReadonlyMap<string, OtherRole> = new Map([
  ...bankerActs.map((act): [AuditedAct, OtherRole] => [act, "banker"]),
  ["grant-revoked-by-developer", "developer"],
  ["grant-revoked-by-admin", "admin"],
  ["account-banned", "admin"],
  ["account-unbanned", "admin"],
  ["application-verified", "admin"],
  ["application-unverified", "admin"],
  ["application-suspended", "admin"],
  ["application-resumed", "admin"],
  ["second-factor-reset", "admin"],
] satisfies [AuditedAct, OtherRole][]);

/** The event as the owner of the account sees it. Addresses and request ids of other people and of servers stay here. */
export function asOwnerSees(event: NamedEvent, ownerAccountId: string): OwnEvent {
  const { id, at, act, words, application, clientId } = event;
  const by = doerForOwner(event, ownerAccountId);
  // A vault request that an application made or cancelled came from the application's server, not from the player.
  const own = by === "you" && !(clientId !== null && act.startsWith("vault-request-"));
  // The hash of a game key is of use to nobody but us.
  const { key: _, ...details } = event.details;
  return {
    ...{ id, at, act, words, application, clientId, by },
    banker: by === "banker" ? playerOf(event.by) : null,
    address: own ? event.address : null,
    requestId: own ? event.requestId : null,
    details: by === "somebody" ? {} : details,
  };
}

function doerForOwner({ by, act }: NamedEvent, ownerAccountId: string): OwnersDoer {
  if (by.kind === "client") return "application";
  if (by.kind === "other") return by.what === "anonymous" ? "anonymous" : "service";
  if (by.kind === "operator") return roleOfAct.get(act) ?? "service";
  if (by.kind === "account" && by.accountId === ownerAccountId) return "you";
  return roleOfAct.get(act) ?? "somebody";
}

const playerOf = (by: AuditActor): NamedPlayer | null =>
  by.kind === "account" || by.kind === "player" ? by.player : null;
