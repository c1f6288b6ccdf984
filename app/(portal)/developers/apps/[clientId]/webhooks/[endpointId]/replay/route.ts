import { form } from "#app/_lib/form";
import { TooManyRequests } from "#server/failures";
import { endpointPath } from "../../_parts/endpoint-path";
import { continuationOf, questionOf } from "../../_parts/replay";

export const POST = form({
  page: endpointPath,
  procedure: async ({ webhooks }, sent) => {
    const key = { clientId: sent.get("clientId") ?? null, endpointId: sent.get("endpointId") };
    const which = questionOf(sent);
    return { ...key, which, ...(await webhooks.replay({ ...key, which })) };
  },
  done: ({ clientId, endpointId, which, queued, left, next }) => {
    if ("messageId" in which) return "?done=again";
    const query = new URLSearchParams({
      done: queued === 0 ? "nothing" : "replayed",
      count: String(queued),
    });
    const rest = {
      left: String(left.count),
      ...(left.more && { more: "yes" }),
      ...continuationOf(which),
    };
    if (next !== null)
      for (const [name, value] of Object.entries({ ...rest, next })) query.set(name, value);
    return `${endpointPath({ clientId, endpointId })}/send?${query}`;
  },
  refused: ({ code, field = "" }, sent) => {
    const page = endpointPath({
      clientId: sent.get("clientId"),
      endpointId: sent.get("endpointId"),
    });
    if (code === TooManyRequests.code)
      return `${sent.get("hours") === undefined ? "" : `${page}/send`}?error=${code}`;
    return /^(which|range)/.test(field) ? `${page}/send?error=range` : undefined;
  },
});
