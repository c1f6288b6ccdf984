import { Webhook } from "standardwebhooks";
import { secondMs } from "#server/platform/time";

const secretBytes = 32;

/** The signed parts of a message: the event's id, and the body exactly as it is sent. */
export interface WebhookMessage {
  /** The same in every attempt. Without a full stop, which separates what is signed. */
  readonly id: string;
  readonly body: string;
}

export type WebhookHeaders = Readonly<
  Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>
>;

/** The current secret, and while a rotation lasts the one before it. */
export type WebhookSecrets = readonly [current: string, previous?: string];

/**
 * A new secret of an endpoint: `whsec_` and 256 random bits in base64 (Standard Webhooks 1.0.0, "Signature scheme").
 * @param bytes draws random bytes
 */
export const mintWebhookSecret = (bytes: (count: number) => Uint8Array): string =>
  `whsec_${Buffer.from(bytes(secretBytes)).toString("base64")}`;

/**
 * The three headers of an attempt. A receiver accepts the message if one of the signatures is right, so each secret in force signs.
 * @param at the time of the attempt, not of the event: receivers refuse what is five minutes off
 */
export function signWebhook(
  { id, body }: WebhookMessage,
  at: Date,
  secrets: WebhookSecrets,
): WebhookHeaders {
  const signatures = secrets
    .filter((secret) => secret !== undefined)
    .map((secret) => new Webhook(secret).sign(id, at, body));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / secondMs)),
    "webhook-signature": signatures.join(" "),
  };
}

/**
 * Headers in perfect form, signed with a random secret. A receiver that answers them with 2xx
 * verifies nothing.
 */
export const forgeWebhook = (
  message: WebhookMessage,
  at: Date,
  bytes: (count: number) => Uint8Array,
): WebhookHeaders => signWebhook(message, at, [mintWebhookSecret(bytes)]);
