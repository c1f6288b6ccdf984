import type { RequestSource } from "#server/actor";
import type { ChatAct, Interaction } from "#server/chat/interactions/interaction";
import type { ChatMessage } from "#server/chat/message";
import type { Context } from "#server/context";
import { failureOf } from "#server/failure-of";
import {
  BackendError,
  FactionNotLinked,
  InsufficientFactionPermissions,
  UnknownElement,
  UnknownFaction,
} from "#server/failures";
import { isGameCallError } from "#server/game/game-call-error";
import { selectionsOf } from "#server/game/selections";
import { describeError } from "#server/platform/errors";
import { hourSeconds, secondMs } from "#server/platform/time";
import { tryKeys } from "#server/users/keys/call-game";
import type { KeyQuery } from "#server/users/keys/store";
import { refreshPlayer } from "#server/users/refresh-player";
import { type ChatPerson, findChatPerson, isLinkedWith } from "../chat-link/read-chat-link";
import { readMembership } from "../positions/membership";
import {
  type ChatActor,
  cancel,
  claim,
  fulfil,
  pressCancel,
  requestNumber,
  showBalance,
  withdraw,
} from "./run-commands";

/**
 * Runs a chat command through the same verbs as the API. Refusals use the catalogue's texts; only
 * the actor sees the answer.
 */
export async function executeChatCommand(
  ctx: Context,
  interaction: Interaction,
  from: RequestSource,
): Promise<ChatMessage> {
  try {
    const actor = await readChatActor(ctx, interaction, from);
    return actor ? await actAs(ctx, actor, interaction.act) : stranger(ctx.settings.baseUrl);
  } catch (thrown) {
    const failure = failureOf(thrown);
    const ours = failure.kind.code === BackendError.code;
    if (ours)
      ctx.log.error(
        { requestId: from.requestId, error: describeError(thrown) },
        "an act of the chat failed",
      );
    const body = ours ? `${failure.message} (${from.requestId})` : failure.message;
    return { card: { title: "That did not work", body, tone: "error" } };
  }
}

function actAs(ctx: Context, actor: ChatActor, act: ChatAct): Promise<ChatMessage> {
  if (act.kind === "button") return press(ctx, actor, act.action);
  const { values } = act;
  const execute = new Map<string, () => Promise<ChatMessage>>([
    ["balance", () => showBalance(ctx, actor)],
    ["withdraw", () => withdraw(ctx, actor, values)],
    ["cancel", () => cancel(ctx, actor, values)],
    ["fulfil", () => fulfil(ctx, actor, requestNumber(values))],
  ]).get(act.name);
  if (!execute) throw UnknownElement.because({ message: "Unknown command." });
  return execute();
}

/** Button ids: `vault:claim:12`, `vault:fulfill:12`, `vault:cancel:12`. */
function press(ctx: Context, actor: ChatActor, action: string): Promise<ChatMessage> {
  const [, verb, request = ""] = /^vault:(claim|fulfill|cancel):([0-9]{1,10})$/.exec(action) ?? [];
  if (verb === "claim") return claim(ctx, actor, request);
  if (verb === "fulfill") return fulfil(ctx, actor, request);
  if (verb === "cancel") return pressCancel(ctx, actor, request);
  throw UnknownElement.because({ message: "This button no longer works." });
}

const stranger = (baseUrl: string): ChatMessage => ({
  card: {
    title: "We do not know you yet",
    body: "Your chat account is not linked to a player here. Sign in with your game key, then link your chat account on the page “Account”.",
    tone: "warning",
  },
  buttons: [{ label: "Sign in", url: `${baseUrl}/sign-in` }],
});

const staleSeconds = 4 * hourSeconds;

/**
 * Null for an unknown chat account.
 * @throws UnknownFaction, FactionNotLinked (to this server), InsufficientFactionPermissions
 * (banned)
 */
async function readChatActor(
  ctx: Context,
  { chatId, serverId }: Interaction,
  from: RequestSource,
): Promise<ChatActor | null> {
  const on = ctx.database.query;
  const person = await findChatPerson(on, chatId);
  if (!person) return null;
  if (person.banned)
    throw InsufficientFactionPermissions.because({
      message: "Your account here is closed. Sign in to read why.",
    });
  await freshen(ctx, person);
  const { playerId, accountId } = person;
  const { factionId, ...membership } = await readMembership(ctx.database, playerId);
  if (factionId === null) throw UnknownFaction.because({ message: "You are not in a faction." });
  if (serverId === null || !(await isLinkedWith(on, { serverId, factionId })))
    throw FactionNotLinked.because({
      message: "Your faction is not linked with this chat server.",
    });
  const by = { kind: "player", accountId, playerId, from } as const;
  return { by, membership: { ...membership, factionId } };
}

async function freshen(ctx: Context, { playerId, lastRefresh }: ChatPerson): Promise<void> {
  if (lastRefresh && ctx.now().getTime() - lastRefresh.getTime() < staleSeconds * secondMs) return;
  const reads = selectionsOf.player;
  const readWith = (choice: KeyQuery) =>
    tryKeys(ctx, choice, (key) => refreshPlayer(ctx, { playerId, key, priority: "user" }));
  try {
    if (!(await readWith({ of: "player", playerId, reads })))
      await readWith({ of: "lenders", reads });
  } catch (thrown) {
    // Stored membership counts while the game is unavailable.
    if (!isGameCallError(thrown)) throw thrown;
  }
}
