import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { createIds } from "#server/platform/ids";
import { type HookRequest, hookReceiver } from "#server/testing/hook-receiver";
import { checkReceiver } from "./receiver-cases";
import { createOutboundClient } from "./send-attempt";
import { mintWebhookSecret } from "./signature";

const ids = createIds();
const secret = mintWebhookSecret(ids.bytes);
const { send } = createOutboundClient({
  settings: { baseUrl: "http://localhost:1", webhookLoopback: "allowed" },
});
const receiver = await hookReceiver();
const failedCases = async () =>
  (await checkReceiver({ url: receiver.url, secret, send, ids, now: () => new Date() }))
    .filter(({ good }) => !good)
    .map(({ name }) => name);

/** Verifies by the unmodified library of Standard Webhooks. */
const isRight = ({ text, headers }: HookRequest): boolean => {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

test("a receiver that verifies by the library and sends the code back passes every case", async () => {
  receiver.behave((request, response) => {
    if (!isRight(request)) return response.writeHead(401).end();
    return response.end(request.body.data.code ?? "ok");
  });
  expect(await failedCases()).toEqual([]);
});

test.each([
  ["verifies nothing", () => 200, ["forged", "altered", "late", "proof of ownership"]],
  [
    "reads the first signature alone",
    (request: HookRequest) => {
      const [first = ""] = String(request.headers["webhook-signature"]).split(" ");
      return isRight({ ...request, headers: { ...request.headers, "webhook-signature": first } })
        ? 200
        : 401;
    },
    ["rotated", "proof of ownership"],
  ],
  [
    "refuses everything",
    () => 403,
    ["valid", "duplicate", "rotated", "out of order", "unknown type", "proof of ownership"],
  ],
  ["answers a repetition with 409", duplicatesRefused(), ["duplicate", "proof of ownership"]],
] satisfies [string, (request: HookRequest) => number, string[]][])(
  "a receiver that %s is told which cases it fails",
  async (_what, answer, failed) => {
    receiver.behave((request, response) => response.writeHead(answer(request)).end());
    expect(await failedCases()).toEqual(failed);
  },
);

function duplicatesRefused(): (request: HookRequest) => number {
  const seen = new Set<string>();
  return (request) => {
    if (!isRight(request)) return 401;
    if (seen.has(request.id)) return 409;
    seen.add(request.id);
    return 200;
  };
}

test("a receiver that is not there fails every case, and says so", async () => {
  const results = await checkReceiver({
    url: "http://127.0.0.1:9/",
    secret,
    send,
    ids,
    now: () => new Date(),
  });
  expect(results.every(({ good }) => !good)).toBe(true);
  expect(results[0]?.got).toContain("refused the connection");
});
