import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";
import { secondMs } from "#server/platform/time";
import { SnowflakeText } from "../message";

/** An interaction of a user in the chat. */
export interface Interaction {
  /** Its own number; one that comes again is the same act. */
  readonly id: bigint;
  readonly applicationId: bigint;
  /** With which it can be answered later, for some minutes. A secret. */
  readonly token: string;
  /** Null outside of every server. */
  readonly serverId: bigint | null;
  /** The chat account of the user. */
  readonly chatId: bigint;
  readonly act: ChatAct;
}

export type ChatAct =
  /** Typed a command; values by their names. */
  | {
      readonly kind: "command";
      readonly name: string;
      readonly values: ReadonlyMap<string, string | number>;
    }
  /** Pressed a button of ours. */
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

/** Reads what the chat posted: "ping", an act, or undefined for what we do not understand. */
export function readInteraction(body: string): "ping" | Interaction | undefined {
  const parsed = Sent.safeParse(parseJson(body));
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How an Ed25519 key begins in the form that node:crypto reads (RFC 8410 section 4). */
const keyPrefix = Buffer.from("302a300506032b6570032100", "hex");

/** An older timestamp is refused: a copy of a call is worthless soon. A newer one means that a clock is wrong. */
const mostSecondsOff = 300;

export interface SignedBody {
  readonly signature: string | null;
  /** Unix seconds, as text. */
  readonly timestamp: string | null;
  readonly body: string;
}

/** Whether the chat signed timestamp and body with the key (64 hexadecimal digits), and did so just now. */
export function isSigned(
  publicKey: string,
  { signature, timestamp, body }: SignedBody,
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
