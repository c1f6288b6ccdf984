import { form } from "#app/_lib/form";
import { TooManyRequests } from "#server/failures";
import { endpointPath } from "../../_parts/own-endpoint";
import { continuationOf, questionOf, ReplayForm } from "../../_parts/replay-question";

export const POST = form({
  page: endpointPath,
  fields: ReplayForm,
  procedure: async ({ webhooks }, { clientId, endpointId, ...sent }) => {
    const which = questionOf(sent);
    return { which, ...(await webhooks.replay({ clientId, endpointId, which })) };
  },
  done: ({ which, queued, left, next }, sent) => {
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
    return `${endpointPath(sent)}/send?${query}`;
  },
  refused: ({ code, field = "" }, sent) => {
    if (code === TooManyRequests.code)
      return `${sent.hours === undefined ? "" : `${endpointPath(sent)}/send`}?error=${code}`;
    return /^(which|range)/.test(field) ? `${endpointPath(sent)}/send?error=range` : undefined;
  },
});
