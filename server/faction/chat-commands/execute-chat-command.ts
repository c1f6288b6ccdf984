import type { RequestSource, SessionlessPlayer } from "#server/actor";
import type { ChatAct, Interaction } from "#server/chat/interactions";
import type { ChatCommand, ChatMessage } from "#server/chat/message";
import type { Context } from "#server/context";
import { failureOf } from "#server/failure-of";
import {
  BackendError,
  FactionNotLinked,
  InsufficientFactionPermissions,
  UnknownElement,
  UnknownVaultRequest,
} from "#server/failures";
import { isGameCallError } from "#server/game/game-call-error";
import { selectionsByCall } from "#server/game/selections";
import { serializeError } from "#server/platform/errors";
import { hourSeconds, secondMs, toUnixSeconds } from "#server/platform/time";
import { tryKeys } from "#server/users/keys/call-game";
import type { KeyQuery } from "#server/users/keys/store";
import { refreshPlayer } from "#server/users/refresh-player";
import { readVaultBalance } from "../banking/read-vault-balance";
import {
  cancelRequest,
  claimRequest,
  fulfilRequest,
  requestWithdrawal,
} from "../banking/request-acts";
import { listRequests } from "../banking/show-banking";
import {
  expiryOf,
  formatAmount,
  readAmount,
  usualWaitingTime,
  type VaultRequest,
  waitingTimes,
} from "../banking/vault-request";
import { type ChatPerson, findChatPerson, isLinkedWith } from "../chat-link/read-chat-link";
import { isBanker, type Member, requireMembership } from "../positions/membership";

const balanceKinds = [
  { label: "Money", value: "money", currency: "money_balance" },
  { label: "Points", value: "points", currency: "points_balance" },
] as const;

export const chatCommands: readonly ChatCommand[] = [
  {
    name: "balance",
    description: "Show what you have in your faction's vault. Only you see it.",
    options: [],
  },
  {
    name: "withdraw",
    description: "Request a withdrawal from your faction's vault.",
    options: [
      { name: "amount", description: "250000, 1.5m, 100k or all.", kind: "text", required: true },
      {
        name: "kind",
        description: "Money by default, or points.",
        kind: "text",
        required: false,
        choices: balanceKinds.map(({ label, value }) => ({ label, value })),
      },
      {
        name: "timeout",
        description: "When the request expires. After one hour by default.",
        kind: "text",
        required: false,
        choices: waitingTimes.map(({ value, words }) => ({ label: words, value })),
      },
    ],
  },
  {
    name: "cancel",
    description: "Cancel your newest waiting request, or the one with this number.",
    options: [
      { name: "id", description: "The request's number.", kind: "number", required: false },
    ],
  },
  {
    name: "fulfil",
    description: "Mark a request as paid. For bankers.",
    options: [{ name: "id", description: "The request's number.", kind: "number", required: true }],
  },
];

interface ChatActor {
  readonly by: SessionlessPlayer;
  readonly member: Member;
}

type Values = ReadonlyMap<string, string | number>;

const requestNumber = (values: Values): string => String(values.get("id") ?? "");

/** Calls the same verbs as the API, so refusals read the same. */
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
        { requestId: from.requestId, error: serializeError(thrown) },
        "an act of the chat failed",
      );
    const body = ours ? `${failure.message} (${from.requestId})` : failure.message;
    return { card: { title: "That did not work", body, tone: "error" } };
  }
}

function actAs(ctx: Context, actor: ChatActor, act: ChatAct): Promise<ChatMessage> {
  if (act.kind === "button") return press(ctx, actor, act.action);
  const { name, values } = act;
  if (name === "balance") return showBalance(ctx, actor);
  if (name === "withdraw") return withdraw(ctx, actor, values);
  if (name === "cancel") return cancel(ctx, actor, values);
  if (name === "fulfil") return fulfil(ctx, actor, requestNumber(values));
  throw UnknownElement.because({ message: "Unknown command." });
}

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
 * Null for a chat account without a player.
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
  const member = await requireMembership(ctx.database, playerId);
  const { factionId } = member;
  if (serverId === null || !(await isLinkedWith(on, { serverId, factionId })))
    throw FactionNotLinked.because({
      message: "Your faction is not linked with this chat server.",
    });
  return { by: { kind: "player", accountId, playerId, from }, member };
}

async function freshen(ctx: Context, { playerId, lastRefresh }: ChatPerson): Promise<void> {
  if (lastRefresh && ctx.now().getTime() - lastRefresh.getTime() < staleSeconds * secondMs) return;
  const reads = selectionsByCall.player;
  const readWith = (choice: KeyQuery) =>
    tryKeys(ctx, choice, (key) => refreshPlayer(ctx, { playerId, key, priority: "user" }));
  try {
    if (!(await readWith({ of: "player", playerId, reads })))
      await readWith({ of: "lenders", reads });
  } catch (thrown) {
    // The stored membership counts while the game is unavailable.
    if (!isGameCallError(thrown)) throw thrown;
  }
}

async function showBalance(ctx: Context, { by, member }: ChatActor): Promise<ChatMessage> {
  const { money, points } = await readVaultBalance(ctx, by);
  return {
    card: {
      title: "Your balance",
      body: `In the vault of ${member.factionName}. Only you see this.`,
      tone: "info",
      fields: [
        { name: "Money", value: formatAmount(money, "money_balance") },
        { name: "Points", value: formatAmount(points, "points_balance") },
      ],
    },
  };
}

async function withdraw(
  ctx: Context,
  { by, member }: ChatActor,
  values: Values,
): Promise<ChatMessage> {
  const amount = readAmount(values.get("amount"));
  if (amount === undefined)
    throw wrong("Enter an amount, for example 250000, $2,500,000, 1.5m, 100k or all.");
  const kind = balanceKinds.find(
    ({ value }) => value === (values.get("kind") ?? balanceKinds[0].value),
  );
  const wait = waitingTimes.find(
    ({ value }) => value === (values.get("timeout") ?? usualWaitingTime),
  );
  if (!kind || !wait) throw wrong("Choose kind and timeout from the list.");
  const request = await requestWithdrawal(ctx, by, {
    factionId: member.factionId,
    amount,
    currency: kind.currency,
    expiresAt: expiryOf(wait.value, ctx.now()),
  });
  const { id, expiresAt } = request;
  return {
    card: {
      title: `Vault request #${id}`,
      body: `You asked for ${formatAmount(request.amount, request.currency)}. Your faction's bankers see it, and you get a message when one has paid.`,
      tone: "info",
      ...(expiresAt && { fields: [{ name: "Expires", at: toUnixSeconds(expiresAt) }] }),
    },
    buttons: [{ label: "Your requests", url: `${ctx.settings.baseUrl}/faction/banking` }],
  };
}

const wrong = (message: string) => UnknownElement.because({ message });

async function cancel(ctx: Context, actor: ChatActor, values: Values): Promise<ChatMessage> {
  const named = requestNumber(values);
  return cancelNumber(ctx, actor, named === "" ? await newestOwn(ctx, actor) : named);
}

async function pressCancel(ctx: Context, actor: ChatActor, request: string): Promise<ChatMessage> {
  if (!isBanker(actor.member))
    throw InsufficientFactionPermissions.because({
      message: "Only bankers can use this button. Cancel your own request with /cancel.",
    });
  return cancelNumber(ctx, actor, request);
}

async function cancelNumber(
  ctx: Context,
  { by, member }: ChatActor,
  request: string,
): Promise<ChatMessage> {
  const { factionId } = member;
  return answer(await cancelRequest(ctx, by, { factionId, request }), "cancelled.");
}

async function newestOwn(ctx: Context, { by, member: { factionId } }: ChatActor): Promise<string> {
  const page = await listRequests(ctx, by, {
    factionId,
    scope: "user",
    pendingOnly: true,
    limit: 1,
  });
  const [newest] = page.requests;
  if (!newest) throw UnknownVaultRequest.because({ message: "You have no waiting request." });
  return String(newest.id);
}

async function claim(ctx: Context, { by }: ChatActor, request: string): Promise<ChatMessage> {
  const { request: found, claimed } = await claimRequest(ctx, by, { request });
  return claimed
    ? answer(
        found,
        "the other bankers see that you are paying it, for five minutes. Press Fulfil when you have paid.",
      )
    : answer(found, "another banker is paying it. The card shows who, and until when.", "warning");
}

async function fulfil(ctx: Context, { by }: ChatActor, request: string): Promise<ChatMessage> {
  return answer(
    await fulfilRequest(ctx, by, { request }),
    "you marked it as paid. Adjutant looks for the payment in the vault's news for some minutes.",
  );
}

const answer = (
  { id, amount, currency }: VaultRequest,
  words: string,
  tone: "good" | "warning" = "good",
): ChatMessage => ({
  card: {
    title: `Vault request #${id}`,
    body: `${formatAmount(amount, currency)}: ${words}`,
    tone,
  },
});
