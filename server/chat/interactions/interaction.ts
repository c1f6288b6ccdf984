import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";
import { readJson } from "#server/platform/exact-json";
import { secondMs } from "#server/platform/time";
import { SnowflakeText } from "../message";

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

export function readInteraction(body: string): "ping" | Interaction | undefined {
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

/** Limits replays and clock skew. */
const mostSecondsOff = 300;

interface SignedBody {
  readonly signature: string | null;
  readonly timestamp: string | null;
  readonly body: string;
}

/** @param publicKey 64 hexadecimal digits */
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
