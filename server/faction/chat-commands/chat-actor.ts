import type { Origin } from "#server/audit/audit";
import type { Interaction } from "#server/chat/interactions/interaction";
import type { Context } from "#server/context";
import { FactionNotLinked, InsufficientFactionPermissions, UnknownFaction } from "#server/failures";
import { isGameCallError } from "#server/game/game-call-error";
import { hourSeconds, secondMs } from "#server/platform/durations";
import { pickKey } from "#server/users/keys/pick-key";
import { refreshPlayer } from "#server/users/refresh-player";
import type { BankingPlayer } from "../banking/show-banking";
import { type ChatPerson, findChatPerson, isLinkedWith } from "../chat-link/read-chat-link";
import type { Membership } from "../positions/membership";
import { readMembership } from "../positions/read-membership";

/** Somebody who acts from a chat server that is linked with their faction. */
export interface ChatActor {
  readonly player: BankingPlayer;
  readonly membership: Membership & { readonly factionId: number };
}

/** A player who was asked for longer ago is asked for again before they act. */
const staleSeconds = 4 * hourSeconds;

/**
 * Who acts. Null where nobody knows the chat account.
 * @throws UnknownFaction, FactionNotLinked (the faction's link is not with this server), InsufficientFactionPermissions (banned)
 */
export async function readChatActor(
  ctx: Context,
  { chatId, serverId }: Interaction,
  origin: Origin,
): Promise<ChatActor | null> {
  const on = ctx.database.query;
  const person = await findChatPerson(on, chatId);
  if (!person) return null;
  if (person.banned)
    throw InsufficientFactionPermissions.because({ message: "Your account here is closed. Sign in to read why." });
  await freshen(ctx, person);
  const { playerId, accountId } = person;
  const { factionId, ...membership } = await readMembership(ctx.database, playerId);
  if (factionId === null) throw UnknownFaction.because({ message: "You are not in a faction." });
  if (serverId === null || !(await isLinkedWith(on, { serverId, factionId })))
    throw FactionNotLinked.because({ message: "Your faction is not linked with this chat server." });
  return { player: { playerId, accountId, origin }, membership: { ...membership, factionId } };
}

/** Faction and position decide, so they are asked for again where that can be done. */
async function freshen(ctx: Context, { playerId, lastRefresh }: ChatPerson): Promise<void> {
  if (lastRefresh && ctx.now().getTime() - lastRefresh.getTime() < staleSeconds * secondMs) return;
  const key = (await pickKey(ctx, { of: "player", playerId })) ?? (await pickKey(ctx, { of: "lenders" }));
  if (!key) return;
  try {
    await refreshPlayer(ctx, { playerId, key, priority: "user" });
  } catch (thrown) {
    // What is known counts on, as everywhere else while the game does not answer.
    if (!isGameCallError(thrown)) throw thrown;
  }
}
