import { parseArgs } from "node:util";
import { createIds } from "#server/platform/ids";
import { checkReceiver } from "#server/webhooks/receiver-cases";
import { createOutboundClient } from "#server/webhooks/send-attempt";
import { mintWebhookSecret } from "#server/webhooks/signature";

/**
 * `npm run webhooks:check -- <url> [--secret whsec_…]`. Exit code 0: the receiver passes; 1: it
 * fails; 2: nothing was sent.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { secret: { type: "string" } },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const ids = createIds();
const [url] = positionals;
const { secret } = values;
if (!url) {
  say("Usage: npm run webhooks:check -- <url> [--secret whsec_…]");
  process.exit(2);
}
if (!secret?.startsWith("whsec_")) {
  say(
    `Give your receiver this secret, then run the check again with it:\n\n  npm run webhooks:check -- ${url} --secret ${mintWebhookSecret(ids.bytes)}`,
  );
  process.exit(2);
}
const { send } = createOutboundClient({
  settings: { baseUrl: "http://webhooks-check.invalid:1", webhookLoopback: "allowed" },
});
const results = await checkReceiver({ url, secret, send, ids, now: () => new Date() });
for (const { name, sent, got, wanted, good } of results) {
  say(`${good ? "ok  " : "FAIL"} ${name}: ${sent}`);
  say(`     got: ${got}`);
  if (!good) say(`     a good receiver: ${wanted}`);
}
const failed = results.filter(({ good }) => !good).length;
say(failed === 0 ? "\nA good receiver." : `\n${failed} of ${results.length} cases failed.`);
process.exit(failed === 0 ? 0 : 1);
