import { Webhook } from "standardwebhooks";
import { secondMs } from "#server/platform/time";

const secretBytes = 32;

export interface WebhookMessage {
  /** The same in every attempt. No full stop, which is the separator. */
  readonly id: string;
  readonly body: string;
}

export type WebhookHeaders = Readonly<
  Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>
>;

/** The previous one signs during a rotation. */
export type WebhookSecrets = readonly [current: string, previous?: string];

/** `whsec_` and 256 bits in base64 (Standard Webhooks 1.0.0, "Signature scheme"). */
export const mintWebhookSecret = (bytes: (count: number) => Uint8Array): string =>
  `whsec_${Buffer.from(bytes(secretBytes)).toString("base64")}`;

/**
 * One signature per secret in force; a receiver accepts any.
 * @param at the time of the attempt, not of the event: receivers refuse one five minutes off
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

/** Signed with an unknown secret: a receiver that answers with 2xx verifies nothing. */
export const forgeWebhook = (
  message: WebhookMessage,
  at: Date,
  bytes: (count: number) => Uint8Array,
): WebhookHeaders => signWebhook(message, at, [mintWebhookSecret(bytes)]);
