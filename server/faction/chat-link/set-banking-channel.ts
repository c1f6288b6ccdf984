import { isDeepStrictEqual } from "node:util";
import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import { isChatFailure } from "#server/chat/chat-failure";
import type { Context } from "#server/context";
import { FactionNotLinked, ServiceUnavailable, UnknownElement } from "#server/failures";
import { administeredServer } from "./show-chat-server";
import { type Banking, lockBanking, setBanking } from "./store";

export interface BankingChoice {
  readonly serverId: bigint;
  readonly factionId: number;
  /** Where requests of the faction's vault are shown; null: nowhere. */
  readonly channelId: bigint | null;
  /** Roles that a new request mentions. */
  readonly roleIds: readonly bigint[];
  /** What the user saw before choosing: another choice saved since then stays. */
  readonly shown: Banking;
  readonly origin: Origin;
}

const mostRoles = 10;

/**
 * Chooses the channel in which a chat server shows the requests of a faction that it lists, and the roles they mention. Channel and
 * roles must be there at the moment.
 * @returns "outdated" where somebody else chose since the user looked; nothing is changed then
 * @throws UnknownChatServer, UnknownElement with the field that is wrong, FactionNotLinked, ServiceUnavailable
 */
export async function setBankingChannel(
  ctx: Context,
  user: PortalUser,
  choice: BankingChoice,
): Promise<"saved" | "outdated"> {
  const { serverId, factionId, channelId, shown, origin } = choice;
  const roleIds = [...new Set(choice.roleIds)];
  await administeredServer(ctx, user, serverId);
  await assertThere(ctx, { serverId, channelId, roleIds });
  const { accountId } = user;
  return ctx.database.transaction(async (tx) => {
    const before = await lockBanking(tx, { serverId, factionId });
    if (!before) throw FactionNotLinked.because();
    if (isSame(before, { channelId, roleIds })) return "saved";
    if (!isSame(before, shown)) return "outdated";
    await setBanking(tx, { serverId, factionId }, { channelId, roleIds });
    await ctx.audit(tx, {
      act: "chat-server-banking-changed",
      actor: `account:${accountId}`,
      accountId,
      origin,
      details: {
        server: String(serverId),
        faction: factionId,
        channel: channelId === null ? null : String(channelId),
        roles: roleIds.map(String),
      },
    });
    return "saved";
  });
}

const isSame = (one: Banking, other: Banking): boolean =>
  one.channelId === other.channelId && isDeepStrictEqual(new Set(one.roleIds), new Set(other.roleIds));

/** @throws UnknownElement for a channel or role that the server does not have at the moment, ServiceUnavailable */
export async function assertThere(
  ctx: Context,
  { serverId, channelId, roleIds }: Pick<BankingChoice, "serverId" | "channelId" | "roleIds">,
): Promise<void> {
  const wrong = (field: string, message: string) =>
    UnknownElement.because({ message, details: { errors: [{ field, message }] } });
  if (roleIds.length > mostRoles) throw wrong("role_ids", `Choose no more than ${mostRoles} roles.`);
  try {
    const channels = channelId === null ? [] : await ctx.chat.listChannels(serverId);
    if (channelId !== null && !channels.some((channel) => channel.channelId === channelId))
      throw wrong("channel_id", "The chat server has no such text channel.");
    const roles = roleIds.length === 0 ? [] : await ctx.chat.listRoles(serverId);
    if (!roleIds.every((roleId) => roles.some((role) => role.roleId === roleId)))
      throw wrong("role_ids", "The chat server has no such role.");
  } catch (thrown) {
    if (!isChatFailure(thrown)) throw thrown;
    throw ServiceUnavailable.because({ message: "The chat does not answer. Try again in a minute.", cause: thrown });
  }
}
