import { setTimeout as rest } from "node:timers/promises";
import type { RequestSource } from "#server/actor";
import type { Context } from "#server/context";
import { describeError } from "#server/platform/errors";
import { type JsonAnswer, jsonAnswer } from "#server/platform/json-answer";
import { readLimitedText } from "#server/platform/limited-text";
import { networkOf } from "#server/platform/peer-address";
import { retryAfterHeader } from "#server/platform/response-headers";
import { isTimeout, within } from "#server/platform/within";
import type { RequestOrigin } from "#server/rest/request-context";
import { type ChatMessage, messageBody, privateFlag } from "../message";
import { noteInteraction } from "../store";
import { isChatFailure } from "../transport";
import { type Interaction, isSigned, readInteraction } from "./interaction";

export type ExecuteChatCommand = (
  ctx: Context,
  act: Interaction,
  from: RequestSource,
) => Promise<ChatMessage>;

interface InteractionOptions {
  readonly execute: ExecuteChatCommand;
  readonly publicKey: string;
  /** Milliseconds before the "wait" answer; the chat gives up after three seconds. */
  readonly timeoutMs?: number;
}

const largestBody = 64 * 1_024;
const usualTimeout = 2_000;
/** Per chat account and minute. */
const actsAMinute = 30;

const pong = { type: 1 };
const wait = { type: 5, data: { flags: privateFlag } };
const say = (message: ChatMessage) => ({
  type: 4,
  data: { ...messageBody(message), flags: privateFlag },
});

/** Only the signature authenticates the chat, so it is checked before the body is parsed. */
export async function answerInteraction(
  ctx: Context,
  { request, peer }: { readonly request: Request; readonly peer: RequestOrigin },
  options: InteractionOptions,
): Promise<Response> {
  const requestId = peer.requestId ?? ctx.ids.request();
  // The chat sends it, not the player.
  const from = { requestId, address: null, userAgent: null };
  const answer = (status: number, record: object, headers?: JsonAnswer["headers"]) =>
    jsonAnswer(request, ctx.settings, { status, record, requestId, headers });
  if (request.method !== "POST")
    return answer(405, { message: "The method must be POST." }, { Allow: "POST" });
  const body = await readLimitedText(request, largestBody);
  if (body === undefined) return answer(413, { message: "The body is too large." });
  const signature = request.headers.get("x-signature-ed25519");
  const timestamp = request.headers.get("x-signature-timestamp");
  if (!isSigned(options.publicKey, { signature, timestamp, body }, ctx.now())) {
    const forged = {
      policy: "chat-signatures",
      subject: networkOf(peer.address),
      limit: ctx.settings.rates.peer,
    };
    const { allowed, reset } = await ctx.limiter.take(forged);
    if (!allowed) return answer(429, { message: "Too many calls." }, retryAfterHeader(429, reset));
    return answer(401, { message: "The signature is missing, wrong or too old." });
  }
  const act = readInteraction(body);
  if (act === undefined) return answer(400, { message: "Unknown interaction." });
  if (act === "ping") return answer(200, pong);
  return answer(200, await answerAct(ctx, act, { ...options, from }));
}

async function answerAct(
  ctx: Context,
  act: Interaction,
  options: InteractionOptions & { from: RequestSource },
): Promise<object> {
  const { execute, from, timeoutMs = usualTimeout } = options;
  const said = executeOnce(ctx, act, { execute, from }).catch((thrown: unknown): ChatMessage => {
    ctx.log.error(
      { requestId: from.requestId, error: describeError(thrown) },
      "an act of the chat failed",
    );
    return {
      text: `Something went wrong on our side. Quote ${from.requestId} when you report it.`,
    };
  });
  try {
    return say(await within(timeoutMs, said));
  } catch (thrown) {
    if (!isTimeout(thrown)) throw thrown;
    ctx.defer(async () => finishLater(ctx, act, await said));
    return wait;
  }
}

async function executeOnce(
  ctx: Context,
  act: Interaction,
  { execute, from }: { execute: ExecuteChatCommand; from: RequestSource },
): Promise<ChatMessage> {
  if (!(await noteInteraction(ctx.database.query, act.id, ctx.now())))
    return { text: "This was received already." };
  const window = { policy: "chat-acts", subject: String(act.chatId), limit: actsAMinute };
  const { allowed, reset } = await ctx.limiter.take(window);
  if (!allowed) return { text: `Too many commands. Try again in ${reset} seconds.` };
  return execute(ctx, act, from);
}

/** Milliseconds: the chat may get the result before it has processed the "wait" answer. */
const rests = [500, 2_000, 5_000];

/** A refusal by the chat is not retried. */
async function finishLater(ctx: Context, act: Interaction, message: ChatMessage): Promise<void> {
  for (const pause of [...rests, undefined]) {
    try {
      return await ctx.chat.finishInteraction(act, message);
    } catch (thrown) {
      const hopeless =
        !isChatFailure(thrown) || (thrown.kind !== "gone" && thrown.kind !== "retry");
      if (hopeless || pause === undefined) throw thrown;
      await rest(pause);
    }
  }
}
