import type { Context } from "#server/context";
import { resultOf, withdrawn } from "./attempt-result";
import { openSecrets, type WebhookEndpoint } from "./endpoint";
import type { HeldEndpoint } from "./held-endpoint";
import {
  findOldestMessage,
  listDueMessages,
  listStoredIds,
  type StoredMessage,
} from "./message-store";
import { findMessages, messageOf, stillVisible } from "./messages";
import type { InFlight } from "./pending-messages";
import { judgeAttempt } from "./retry";
import { signWebhook } from "./signature";

const version = "webhook-version";

/** Sends a message once. What came of it is added to what is to be written; one that we stopped goes back to the front. */
export async function attemptMessage(
  ctx: Context,
  held: HeldEndpoint,
  { endpoint, inFlight }: { readonly endpoint: WebhookEndpoint; readonly inFlight: InFlight },
): Promise<void> {
  const { message, stop } = inFlight;
  const { messageId: id, body = "" } = message;
  const at = ctx.now();
  const answer = await ctx.sendWebhook({
    url: endpoint.url,
    body,
    signal: stop.signal,
    headers: async () => {
      await held.check();
      const now = ctx.now();
      const secrets = openSecrets(ctx, held.endpoint() ?? endpoint, now);
      return { ...signWebhook({ id, body }, now, secrets), [version]: endpoint.version };
    },
  });
  const verdict = judgeAttempt(answer);
  const isStopped = verdict.message === "stopped";
  held.pending.finish(inFlight, isStopped && !inFlight.withdrawn);
  if (!isStopped) {
    const result = resultOf(ctx, message, { at, answer, verdict });
    ctx.metrics.webhookAttempts.labels(result.outcome).inc();
    held.add(result, verdict);
  } else if (inFlight.withdrawn)
    held.add({ ...withdrawn(message, at), attempt: message.attempts + 1, answer });
}

const atOnce = 50;

/** Reads what is to be sent next: messages that wait in rows of their own first, then the log. @returns whether there may be more */
export async function loadMessages(
  ctx: Context,
  held: HeldEndpoint,
  endpoint: WebhookEndpoint,
): Promise<boolean> {
  await held.save();
  // Results of these may be written while the rows are read, which then show the state before.
  const open = [...held.pending.underWay(), ...held.unsaved()];
  const openIds = new Set(open.map(({ message }) => message.messageId));
  const rows = await readStored(ctx, held);
  await addDue(ctx, held, {
    endpoint,
    rows: rows.filter(({ messageId }) => !openIds.has(messageId)),
  });
  const isQuiet = held.isResting() && (rows.length > 0 || ctx.now() < (held.restUntil() ?? 0));
  if (isQuiet) return false;
  if (endpoint.waiting === 0 || held.pending.reached() >= endpoint.counted)
    return rows.length === atOnce;
  await addFromLog(ctx, held, endpoint);
  return true;
}

/** Those of a resting endpoint wait, but for the oldest, due or not. */
async function readStored(
  ctx: Context,
  { lease, isResting }: HeldEndpoint,
): Promise<StoredMessage[]> {
  const on = ctx.database.background.query;
  if (!isResting())
    return listDueMessages(on, { endpointId: lease.id, now: ctx.now(), limit: atOnce });
  const oldest = await findOldestMessage(on, lease.id);
  return oldest ? [oldest] : [];
}

async function addDue(
  ctx: Context,
  held: HeldEndpoint,
  {
    endpoint,
    rows,
  }: { readonly endpoint: WebhookEndpoint; readonly rows: readonly StoredMessage[] },
): Promise<void> {
  const now = ctx.now();
  const due = rows.filter(({ nextAt }) => nextAt <= now).map(messageOf);
  const visible = await stillVisible(ctx, ctx.database.background.query, {
    endpoint,
    messages: due,
  });
  for (const message of due) {
    const found = visible.get(message.messageId);
    if (found) held.pending.add([{ ...message, body: message.body ?? found.body }]);
    else held.add(withdrawn(message, now));
  }
}

async function addFromLog(
  ctx: Context,
  { lease, pending }: HeldEndpoint,
  endpoint: WebhookEndpoint,
): Promise<void> {
  const on = ctx.database.background.query;
  const after = pending.reached();
  const page = await findMessages(ctx, on, {
    endpoint,
    after,
    until: endpoint.counted,
    limit: atOnce,
  });
  const stored = await listStoredIds(on, { endpointId: lease.id, after, until: page.reached });
  pending.readTo(page.reached);
  pending.add(
    page.messages.filter((message) => !stored.has(message.messageId) && !pending.isDone(message)),
  );
}
