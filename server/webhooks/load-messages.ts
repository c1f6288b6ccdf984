import type { Context } from "#server/context";
import { withdrawn } from "./attempt-result";
import type { WebhookEndpoint } from "./endpoint";
import type { HeldEndpoint } from "./held-endpoint";
import { findOldestMessage, listDueMessages, listStoredIds, type StoredMessage } from "./message-store";
import { findMessages, messageOf, stillVisible } from "./messages";

const atOnce = 50;

/** Reads what is to be sent next: messages that wait in rows of their own first, then the log. @returns whether there may be more */
export async function loadMessages(ctx: Context, held: HeldEndpoint, endpoint: WebhookEndpoint): Promise<boolean> {
  await held.save();
  // What becomes of these may be written while the rows are read, which then tell of before.
  const open = [...held.pending.underWay(), ...held.unsaved()];
  const openIds = new Set(open.map(({ message }) => message.messageId));
  const rows = await readStored(ctx, held);
  await addDue(ctx, held, { endpoint, rows: rows.filter(({ messageId }) => !openIds.has(messageId)) });
  const isQuiet = held.isResting() && (rows.length > 0 || ctx.now() < (held.restUntil() ?? 0));
  if (isQuiet) return false;
  if (endpoint.waiting === 0 || held.pending.reached() >= endpoint.counted) return rows.length === atOnce;
  await addFromLog(ctx, held, endpoint);
  return true;
}

/** Those of a resting endpoint wait, but for the oldest, due or not. */
async function readStored(ctx: Context, { lease, isResting }: HeldEndpoint): Promise<StoredMessage[]> {
  const on = ctx.database.background.query;
  if (!isResting()) return listDueMessages(on, { endpointId: lease.id, now: ctx.now(), limit: atOnce });
  const oldest = await findOldestMessage(on, lease.id);
  return oldest ? [oldest] : [];
}

async function addDue(
  ctx: Context,
  held: HeldEndpoint,
  { endpoint, rows }: { readonly endpoint: WebhookEndpoint; readonly rows: readonly StoredMessage[] },
): Promise<void> {
  const now = ctx.now();
  const due = rows.filter(({ nextAt }) => nextAt <= now).map(messageOf);
  const visible = await stillVisible(ctx, ctx.database.background.query, { endpoint, messages: due });
  for (const message of due) {
    const found = visible.get(message.messageId);
    if (found) held.pending.add([{ ...message, body: message.body ?? found.body }]);
    else held.add(withdrawn(message, now));
  }
}

async function addFromLog(ctx: Context, { lease, pending }: HeldEndpoint, endpoint: WebhookEndpoint): Promise<void> {
  const on = ctx.database.background.query;
  const after = pending.reached();
  const page = await findMessages(ctx, on, { endpoint, after, until: endpoint.counted, limit: atOnce });
  const stored = await listStoredIds(on, { endpointId: lease.id, after, until: page.reached });
  pending.readTo(page.reached);
  pending.add(page.messages.filter((message) => !stored.has(message.messageId) && !pending.isDone(message)));
}
