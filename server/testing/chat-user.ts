import { generateKeyPairSync, sign } from "node:crypto";
import type { Context } from "#server/context";
import { toUnixSeconds } from "#server/platform/time";
import { countInFile } from "./count-in-file";

const keys = generateKeyPairSync("ed25519");

export const chatPublicKey = keys.publicKey
  .export({ format: "der", type: "spki" })
  .subarray(-32)
  .toString("hex");

const firstInteraction = 1_600_000_000_000_000_001n;
const nextInteraction = countInFile(0);

export interface SentInteraction {
  readonly body: string;
  /** Unix seconds; default now. */
  readonly timestamp?: number;
  readonly signature?: string;
}

export function signedRequest(
  ctx: Context,
  { body, timestamp, signature }: SentInteraction,
): Request {
  const at = String(timestamp ?? toUnixSeconds(ctx.now()));
  const right = sign(null, Buffer.from(at + body), keys.privateKey).toString("hex");
  return new Request(`${ctx.settings.baseUrl}/chat/interactions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-signature-ed25519": signature ?? right,
      "x-signature-timestamp": at,
    },
    body,
  });
}

interface Acted {
  readonly chatId: bigint;
  /** Null in a direct message. */
  readonly serverId: bigint | null;
}

const body = ({ chatId, serverId }: Acted, more: object): string => {
  const user = { id: String(chatId) };
  return JSON.stringify({
    id: String(firstInteraction + BigInt(nextInteraction())),
    application_id: "1400000000000000001",
    token: "token-of-the-interaction",
    version: 1,
    ...(serverId === null
      ? { user }
      : { guild_id: String(serverId), member: { user, permissions: "0" } }),
    ...more,
  });
};

export const typed = (
  who: Acted,
  name: string,
  values: Readonly<Record<string, string | number>> = {},
): string =>
  body(who, {
    type: 2,
    data: {
      id: "1",
      name,
      type: 1,
      options: Object.entries(values).map(([key, value]) => ({ name: key, type: 3, value })),
    },
  });

export const pressed = (who: Acted, action: string): string =>
  body(who, { type: 3, data: { custom_id: action, component_type: 2 }, message: { id: "5" } });
