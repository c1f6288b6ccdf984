import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { type ChatLink, readChatLink } from "../chat-link/read-chat-link";
import { isBanker, mayFulfil } from "../positions/membership";
import { readMembership } from "../positions/read-membership";
import { type RequestView, viewRequests } from "./request-view";
import { listMatching } from "./store";
import { type Currency, currencies } from "./vault-request";

/** As many of the user's own requests as a page holds, open and closed. */
const ownShown = 20;
/** As many waiting requests as a banker is shown at once. */
const queueShown = 100;

/** The vault's page of a member, and what a banker finds there besides. Nothing in it is asked of the game. */
export interface BankingPage {
  readonly factionId: number;
  readonly factionName: string;
  /** Only a faction whose link is "ready" can take requests. */
  readonly link: ChatLink["state"];
  readonly own: readonly RequestView[];
  /** What waits for a banker, the oldest first; null for who is none. */
  readonly queue: readonly RequestView[] | null;
  /** What the user's position lets them pay out. */
  readonly pays: readonly Currency[];
}

/** Shows the vault's page of the user's own faction; null for a player without one. */
export async function showBanking(ctx: Context, { playerId }: PortalUser): Promise<BankingPage | null> {
  const on = ctx.database.query;
  const now = ctx.now();
  const membership = await readMembership(on, playerId);
  const { factionId, factionName } = membership;
  if (factionId === null) return null;
  const [link, own, queue] = await Promise.all([
    readChatLink(on, factionId),
    listMatching(on, { factionId, playerId, pendingOnly: false, now, limit: ownShown }),
    isBanker(membership) ? listMatching(on, { factionId, pendingOnly: true, now, limit: queueShown }) : null,
  ]);
  return {
    factionId,
    factionName: factionName ?? `Faction ${factionId}`,
    link: link.state,
    own: await viewRequests(on, own, now),
    queue: queue && (await viewRequests(on, queue.reverse(), now)),
    pays: currencies.filter((currency) => mayFulfil(membership, currency)),
  };
}
