import { Webhook } from "standardwebhooks";
import type { Context } from "#server/context";
import { secondMs } from "#server/platform/time";
import { currentVersion } from "./contract";
import type { WebhookEndpoint } from "./endpoint";

const secretBytes = 32;

export interface WebhookMessage {
  /** The same in every attempt; has no full stops, which separate the signed parts. */
  readonly id: string;
  readonly body: string;
  /** The date of the body's format. */
  readonly version?: string;
}

export type WebhookHeaders = Readonly<
  Record<"webhook-id" | "webhook-timestamp" | "webhook-signature" | "webhook-version", string>
>;

type WebhookSecrets = readonly [current: string, previous?: string];

/** `whsec_` and 256 bits in base64 (Standard Webhooks 1.0.0, "Signature scheme"). */
export const mintWebhookSecret = (bytes: (count: number) => Uint8Array): string =>
  `whsec_${Buffer.from(bytes(secretBytes)).toString("base64")}`;

type Sealing = Pick<Context, "keyring">;

/** The sealed secret is bound to the endpoint, so another row cannot open it. */
export const sealSecret = ({ keyring }: Sealing, secret: string, endpointId: string): string =>
  keyring.seal("webhook-secret", secret, endpointId);

export const hasPreviousSecret = (
  { previousSecret, previousUntil }: Pick<WebhookEndpoint, "previousSecret" | "previousUntil">,
  now: Date,
): boolean => previousSecret !== null && previousUntil !== null && previousUntil > now;

export const isSecretLost = (
  { keyring }: Sealing,
  { secret }: Pick<WebhookEndpoint, "secret">,
): boolean => !keyring.keyIds.includes(secret.slice(0, secret.indexOf(".")));

/** Newest first. @throws if no server secret in force opens them */
export function openSecrets(
  ctx: Sealing,
  endpoint: Pick<WebhookEndpoint, "id" | "secret" | "previousSecret" | "previousUntil">,
  now: Date,
): WebhookSecrets {
  const open = (sealed: string) => ctx.keyring.open("webhook-secret", sealed, endpoint.id);
  const { secret, previousSecret } = endpoint;
  return previousSecret !== null && hasPreviousSecret(endpoint, now)
    ? [open(secret), open(previousSecret)]
    : [open(secret)];
}

/**
 * Makes one signature per secret in force, any of which a receiver accepts.
 * @param at the time of the attempt, because receivers refuse a time five minutes off
 */
export function signWebhook(
  { id, body, version = currentVersion }: WebhookMessage,
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
    "webhook-version": version,
  };
}

/** Signs with an unknown secret: a receiver that answers with 2xx verifies nothing. */
export const forgeSignature = (
  message: WebhookMessage,
  at: Date,
  bytes: (count: number) => Uint8Array,
): WebhookHeaders => signWebhook(message, at, [mintWebhookSecret(bytes)]);
