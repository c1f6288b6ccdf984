import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { createIds } from "#server/platform/ids";
import { forgeSignature, mintWebhookSecret, signWebhook } from "./signature";

const { bytes } = createIds();
const message = { id: "evt_2kYrVq", body: '{"type":"vault_request.created","names":"Größe 🏦"}' };
/** A verifier uses its own clock. */
const now = new Date();
const verified = (secret: string, headers: Readonly<Record<string, string>>, body = message.body) =>
  new Webhook(secret).verify(body, { ...headers });

test("the specification's own example is signed as it says", () => {
  const example = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: '{"test": 2432232314}' };
  const at = new Date(1_614_265_330_000);
  expect(signWebhook(example, at, ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])).toMatchObject({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("a secret is whsec_ and 32 random bytes in base64, another one each time", () => {
  const secrets = Array.from({ length: 50 }, () => mintWebhookSecret(bytes));
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
  }
});

test("a receiver with the standard's library, or with HMAC alone, verifies a message", () => {
  const secret = mintWebhookSecret(bytes);
  const headers = signWebhook(message, now, [secret]);
  expect(verified(secret, headers)).toEqual(JSON.parse(message.body));
  const hmac = createHmac("sha256", Buffer.from(secret.slice(6), "base64"));
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${message.body}`;
  expect(headers["webhook-signature"]).toBe(`v1,${hmac.update(signed, "utf8").digest("base64")}`);
});

test("while a secret is rotated, receivers with the new and with the old one verify, and the new one signs first", () => {
  const [fresh, old, foreign] = [
    mintWebhookSecret(bytes),
    mintWebhookSecret(bytes),
    mintWebhookSecret(bytes),
  ];
  const headers = signWebhook(message, now, [fresh, old]);
  for (const secret of [fresh, old]) expect(() => verified(secret, headers)).not.toThrow();
  expect(() => verified(foreign, headers)).toThrow("No matching signature found");
  const [first, second, third] = headers["webhook-signature"].split(" ");
  expect(first).toBe(signWebhook(message, now, [fresh])["webhook-signature"]);
  expect(second).toBe(signWebhook(message, now, [old])["webhook-signature"]);
  expect(third).toBeUndefined();
});

test.each([
  ["another body", {}, `${message.body} `],
  ["another id", { "webhook-id": "evt_2kYrVr" }, message.body],
  [
    "another time",
    { "webhook-timestamp": String(Math.floor(now.getTime() / 1_000) - 1) },
    message.body,
  ],
])("%s does not verify", (_what, altered, body) => {
  const secret = mintWebhookSecret(bytes);
  const headers = { ...signWebhook(message, now, [secret]), ...altered };
  expect(() => verified(secret, headers, body)).toThrow("No matching signature found");
});

test("what was signed for an attempt six minutes ago is too old for a receiver", () => {
  const secret = mintWebhookSecret(bytes);
  const headers = signWebhook(message, new Date(now.getTime() - 360_000), [secret]);
  expect(() => verified(secret, headers)).toThrow("too old");
});

test("a forged message looks like a true one, and no receiver that verifies accepts it", () => {
  const secret = mintWebhookSecret(bytes);
  const forged = forgeSignature(message, now, bytes);
  const signed = signWebhook(message, now, [secret]);
  expect(Object.keys(forged)).toEqual(Object.keys(signed));
  expect(forged).toMatchObject({
    "webhook-id": message.id,
    "webhook-timestamp": signed["webhook-timestamp"],
  });
  expect(forged["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  expect(() => verified(secret, forged)).toThrow("No matching signature found");
});
