import type { Queryable } from "#db/client";
import { type ChatLinkSides, findChatId, findChatLinkSides, findPlayersOfChat } from "./store";

/** The chat account linked here, else the one from the game. */
export const readChatId = (on: Queryable, playerId: number): Promise<bigint | undefined> =>
  findChatId(on, playerId);

export interface ChatPerson {
  readonly playerId: number;
  readonly accountId: string | null;
  readonly banned: boolean;
  readonly lastRefresh: Date | null;
}

/** A link made here wins; the game's link counts only for players without one here. */
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

export type ChatLink =
  /** No server named, or our bot is not in it: UnknownChatServer. */
  | { readonly state: "no-server" }
  /** The server does not list the faction: FactionNotLinked. */
  | { readonly state: "not-listed" }
  /** No banking channel chosen: BankingNotConfigured. */
  | { readonly state: "no-channel" }
  | {
      readonly state: "ready";
      readonly serverId: bigint;
      readonly channelId: bigint;
      readonly roleIds: readonly bigint[];
    };

/** Both sides must agree. An unknown faction has no server. */
export const readChatLink = async (on: Queryable, factionId: number): Promise<ChatLink> =>
  chatLinkOf(await findChatLinkSides(on, factionId));

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

/** True if both sides agree; a banking channel is not required. */
export async function isLinkedWith(
  on: Queryable,
  { serverId, factionId }: { readonly serverId: bigint; readonly factionId: number },
): Promise<boolean> {
  const sides = await findChatLinkSides(on, factionId);
  return sides !== undefined && sides.serverId === serverId && sides.listed;
}
