import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { readMembership } from "../positions/read-membership";
import { readChatId } from "./chat-account";
import { mayNameServer } from "./name-chat-server";
import { type ChatLink, chatLinkOf } from "./read-chat-link";
import { findChatLinkSides, type KnownServer, listServersListing, listServersOf } from "./store";

/** A chat server as the portal names it; ids are texts, because a page's numbers would round them. */
export interface NamedServer {
  readonly serverId: string;
  /** Null where our bot is not in it. */
  readonly name: string | null;
}

/** The faction's side of its link, as a member sees it. */
export interface FactionChat {
  readonly factionId: number;
  readonly factionName: string;
  readonly state: ChatLink["state"];
  /** The server that the faction names. */
  readonly server: NamedServer | null;
  readonly mayChange: boolean;
  /** Servers to choose from: those that list the faction, and those that the member administers. */
  readonly choices: readonly NamedServer[];
}

/** How the user's faction is linked to a chat server; null for a player without a faction. */
export async function showFactionChat(ctx: Context, { playerId }: PortalUser): Promise<FactionChat | null> {
  const on = ctx.database.query;
  const membership = await readMembership(on, playerId);
  const { factionId, factionName } = membership;
  if (factionId === null) return null;
  const sides = await findChatLinkSides(on, factionId);
  const mayChange = mayNameServer(membership);
  const chatId = mayChange ? await readChatId(on, playerId) : undefined;
  const known: KnownServer[] = mayChange
    ? [...(await listServersListing(on, factionId)), ...(chatId ? await listServersOf(on, chatId) : [])]
    : [];
  const server = sides?.serverId ? { serverId: String(sides.serverId), name: sides.serverName } : null;
  return {
    factionId,
    factionName: factionName ?? `Faction ${factionId}`,
    state: chatLinkOf(sides).state,
    server,
    mayChange,
    choices: distinct(known.map(({ serverId, name }) => ({ serverId: String(serverId), name }))),
  };
}

const distinct = (servers: readonly NamedServer[]): NamedServer[] => [
  ...new Map(servers.map((server) => [server.serverId, server])).values(),
];
