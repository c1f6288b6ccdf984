import type { Queryable } from "#db/client";
import { type ChatLinkSides, findChatId, findChatLinkSides, findPlayersOfChat } from "./store";

/**
 * The chat account of a player: the one that was linked here, and only without such a link the one that the game tells.
 * Undefined where there is neither.
 */
export const readChatId = (on: Queryable, playerId: number): Promise<bigint | undefined> =>
  findChatId(on, playerId);

/** The player of a chat account, for what they may do in the chat. */
export interface ChatPerson {
  readonly playerId: number;
  /** Null for a player who never signed in here. */
  readonly accountId: string | null;
  readonly banned: boolean;
  /** When the game was last asked about the player. */
  readonly lastRefresh: Date | null;
}

/**
 * The player of a chat account. A link that was made here counts first; what the game tells counts for players
 * who linked no other chat account here.
 */
export async function findChatPerson(
  on: Queryable,
  chatId: bigint,
): Promise<ChatPerson | undefined> {
  const people = await findPlayersOfChat(on, chatId);
  const { linkedId: _, ...person } =
    people.find(({ linkedId }) => linkedId === chatId) ??
    people.find(({ linkedId }) => linkedId === null) ??
    {};
  return "playerId" in person ? person : undefined;
}

/** How a faction's link to a chat server stands. Only one that is "ready" can show requests of the vault. */
export type ChatLink =
  /** The faction names no chat server, or one that our bot is not in: UnknownChatServer. */
  | { readonly state: "no-server" }
  /** The server does not list the faction: FactionNotLinked. */
  | { readonly state: "not-listed" }
  /** Linked, but no channel was chosen for banking: BankingNotConfigured. */
  | { readonly state: "no-channel" }
  | {
      readonly state: "ready";
      readonly serverId: bigint;
      /** Where requests of the vault are shown. */
      readonly channelId: bigint;
      /** Roles that a new request mentions. */
      readonly roleIds: readonly bigint[];
    };

/** Reads both sides of a faction's link; they must agree for it to count. A faction that nobody knows has no server. */
export const readChatLink = async (on: Queryable, factionId: number): Promise<ChatLink> =>
  chatLinkOf(await findChatLinkSides(on, factionId));

/** The link that both sides together make. */
export function chatLinkOf(sides: ChatLinkSides | undefined): ChatLink {
  if (!sides || sides.serverName === null || sides.serverId === null) return { state: "no-server" };
  if (!sides.listed) return { state: "not-listed" };
  if (sides.channelId === null) return { state: "no-channel" };
  return {
    state: "ready",
    serverId: sides.serverId,
    channelId: sides.channelId,
    roleIds: sides.roleIds ?? [],
  };
}

/** Whether a faction and this very chat server are linked: both say so. A banking channel is not asked for. */
export async function isLinkedWith(
  on: Queryable,
  { serverId, factionId }: { readonly serverId: bigint; readonly factionId: number },
): Promise<boolean> {
  const sides = await findChatLinkSides(on, factionId);
  return sides !== undefined && sides.serverId === serverId && sides.listed;
}
