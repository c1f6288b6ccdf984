import type { Queryable } from "#db/client";
import { findChatId, findPlayersOfChat } from "./store";

/**
 * The chat account of a player: the one that was linked here, and only without such a link the one that the game tells.
 * Undefined where there is neither.
 */
export const readChatId = (on: Queryable, playerId: number): Promise<bigint | undefined> => findChatId(on, playerId);

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
export async function findChatPerson(on: Queryable, chatId: bigint): Promise<ChatPerson | undefined> {
  const people = await findPlayersOfChat(on, chatId);
  const { linkedId: _, ...person } =
    people.find(({ linkedId }) => linkedId === chatId) ?? people.find(({ linkedId }) => linkedId === null) ?? {};
  return "playerId" in person ? person : undefined;
}
