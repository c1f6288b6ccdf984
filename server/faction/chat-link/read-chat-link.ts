import type { Queryable } from "#db/client";
import { BankingNotConfigured, FactionNotLinked, UnknownChatServer } from "#server/failures";
import { type ChatLinkSides, findChatLinkSides, findPlayersOfChat, type Listing } from "./store";

/** A link made here wins; the game's link counts only for players without one here. */
export async function findChatPerson(on: Queryable, chatId: bigint) {
  const people = await findPlayersOfChat(on, chatId);
  return (
    people.find(({ linkedId }) => linkedId === chatId) ??
    people.find(({ linkedId }) => linkedId === null)
  );
}

export type ChatPerson = NonNullable<Awaited<ReturnType<typeof findChatPerson>>>;

type ChatLink =
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

/** @throws UnknownChatServer, FactionNotLinked, BankingNotConfigured */
export async function requireChannel(
  on: Queryable,
  factionId: number,
): Promise<Extract<ChatLink, { state: "ready" }>> {
  const link = await readChatLink(on, factionId);
  if (link.state === "no-server") throw UnknownChatServer.because();
  if (link.state === "not-listed") throw FactionNotLinked.because();
  if (link.state === "no-channel") throw BankingNotConfigured.because();
  return link;
}

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
  { serverId, factionId }: Listing,
): Promise<boolean> {
  const sides = await findChatLinkSides(on, factionId);
  return sides !== undefined && sides.serverId === serverId && sides.listed;
}
