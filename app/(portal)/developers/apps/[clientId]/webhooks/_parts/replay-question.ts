import type { Sent } from "#app/_lib/form";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { hourMs } from "#server/platform/time";
import type { createCaller } from "#server/portal/router";

type Question = Parameters<ReturnType<typeof createCaller>["webhooks"]["replay"]>[0]["which"];

/** datetime-local, read as UTC. */
const momentOf = (text = "") =>
  new Date(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text) ? `${text}Z` : Number.NaN);

/** Each replay form sends a subset. */
export function questionOf(sent: Sent): Question {
  const messageId = sent.get("message_id");
  if (messageId !== undefined) return { messageId };
  /** Cursor of a replay too long for one request. */
  const after = sent.get("next");
  if (sent.get("since") !== undefined) return { failedSince: momentOf(sent.get("since")), after };
  if (sent.get("hours") !== undefined)
    return { failedSince: new Date(Date.now() - sent.number("hours") * hourMs) };
  return {
    from: momentOf(sent.get("range_from")),
    until: momentOf(sent.get("range_until")),
    after,
  };
}

/** Form fields that continue the replay. */
export function continuationOf(which: Question): Readonly<Record<string, string>> {
  const moment = (at: Date) => at.toISOString().slice(0, 19);
  if ("failedSince" in which) return { since: moment(which.failedSince) };
  return "from" in which
    ? { range_from: moment(which.from), range_until: moment(which.until) }
    : {};
}

const continuation = ["since", "range_from", "range_until", "next"] as const;

/** Undefined if nothing is left. */
export async function readContinuation(
  searchParams: SearchParams,
): Promise<Record<string, string> | undefined> {
  const fields: Record<string, string> = {};
  for (const name of continuation) {
    const value = await readParam(searchParams, name);
    if (value) fields[name] = value.slice(0, 100);
  }
  return fields.next ? fields : undefined;
}
