import { createPublicKey, verify } from "node:crypto";
import { setTimeout as rest } from "node:timers/promises";
import { z } from "zod";
import type { RequestSource } from "#server/actor";
import type { Context } from "#server/context";
import { serializeError } from "#server/platform/errors";
import { readJson } from "#server/platform/exact-json";
import { createJsonResponder } from "#server/platform/json-answer";
import { readLimitedText } from "#server/platform/limited-text";
import { networkOf } from "#server/platform/peer-address";
import { retryAfterHeader } from "#server/platform/response-headers";
import { secondMs } from "#server/platform/time";
import { isTimeout, within } from "#server/platform/within";
import type { RequestOrigin } from "#server/rest/request-context";
import { type ChatMessage, ephemeralFlag, messageBody, SnowflakeText } from "./message";
import { noteInteraction } from "./store";
import { isChatFailure } from "./transport";

export interface Interaction {
  /** Idempotency key. */
  readonly id: bigint;
  readonly applicationId: bigint;
  /** A secret, valid for some minutes. */
  readonly token: string;
  readonly serverId: bigint | null;
  readonly chatId: bigint;
  readonly act: ChatAct;
}

export type ChatAct =
  | {
      readonly kind: "command";
      readonly name: string;
      readonly values: ReadonlyMap<string, string | number>;
    }
  | { readonly kind: "button"; readonly action: string };

const ping = 1;
const command = 2;
const component = 3;

const user = z.object({ id: SnowflakeText });
const common = {
  id: SnowflakeText,
  application_id: SnowflakeText,
  token: z.string().min(1).max(1_000),
  guild_id: SnowflakeText.nullish(),
  member: z.object({ user }).nullish(),
  user: user.nullish(),
};
const option = z.object({ name: z.string(), value: z.union([z.string(), z.number()]).optional() });

const Sent = z.discriminatedUnion("type", [
  z.object({ type: z.literal(ping) }),
  z.object({
    ...common,
    type: z.literal(command),
    data: z.object({ name: z.string(), options: z.array(option).default([]) }),
  }),
  z.object({ ...common, type: z.literal(component), data: z.object({ custom_id: z.string() }) }),
]);

function readInteraction(body: string): "ping" | Interaction | undefined {
  const parsed = Sent.safeParse(readJson(body));
  if (!parsed.success) return undefined;
  const sent = parsed.data;
  if (sent.type === ping) return "ping";
  const chatId = sent.member?.user.id ?? sent.user?.id;
  if (chatId === undefined) return undefined;
  const { id, application_id: applicationId, token, guild_id } = sent;
  const of = { id, applicationId, token, serverId: guild_id ?? null, chatId };
  if (sent.type === component)
    return { ...of, act: { kind: "button", action: sent.data.custom_id } };
  const values = new Map(
    sent.data.options.flatMap(({ name, value }) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
  return { ...of, act: { kind: "command", name: sent.data.name, values } };
}

/** DER prefix of an Ed25519 key (RFC 8410 section 4). */
const keyPrefix = Buffer.from("302a300506032b6570032100", "hex");

/** Limits replays and allows clock skew. */
const mostSecondsOff = 300;

/** @param publicKey 64 hexadecimal digits */
export function isSigned(
  publicKey: string,
  {
    signature,
    timestamp,
    body,
  }: { signature: string | null; timestamp: string | null; body: string },
  now: Date,
): boolean {
  if (!signature || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  if (!timestamp || !/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / secondMs - Number(timestamp)) > mostSecondsOff) return false;
  const der = Buffer.concat([keyPrefix, Buffer.from(publicKey, "hex")]);
  try {
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    return verify(null, Buffer.from(timestamp + body), key, Buffer.from(signature, "hex"));
  } catch {
    return false;
  }
}

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
const wait = { type: 5, data: { flags: ephemeralFlag } };
const say = (message: ChatMessage) => ({
  type: 4,
  data: { ...messageBody(message), flags: ephemeralFlag },
});

/** Only the signature authenticates the chat, so it is checked before the body is parsed. */
export async function answerInteraction(
  ctx: Context,
  { request, peer }: { readonly request: Request; readonly peer: RequestOrigin },
  options: InteractionOptions,
): Promise<Response> {
  const { requestId, say: answer } = createJsonResponder(ctx, request, peer);
  // The address is null, because the chat sends the request, not the player.
  const from = { requestId, address: null, userAgent: null };
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
      { requestId: from.requestId, error: serializeError(thrown) },
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

/** Milliseconds between tries, because the result may reach the chat before the "wait" answer. */
const rests = [500, 2_000, 5_000];

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
