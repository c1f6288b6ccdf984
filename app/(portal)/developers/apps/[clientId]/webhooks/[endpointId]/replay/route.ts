import { formHandler } from "#app/_lib/form";
import { TooManyRequests } from "#server/failures";
import { endpointPath, readEndpointKey } from "../../_parts/endpoint-path";
import { readReplayForm, replayFieldsOf } from "../../_parts/replay";

export const POST = formHandler({
  page: endpointPath,
  procedure: async ({ webhooks }, sent) => {
    const which = readReplayForm(sent);
    return { which, ...(await webhooks.replay({ ...readEndpointKey(sent), which })) };
  },
  done: ({ which, queued, left, next }, sent) => {
    if ("messageId" in which) return "?done=again";
    const query = new URLSearchParams({
      done: queued === 0 ? "nothing" : "replayed",
      count: String(queued),
      ...(next !== null && {
        ...replayFieldsOf(which),
        next,
        left: String(left.count),
        more: left.more ? "yes" : "",
      }),
    });
    return `${endpointPath(readEndpointKey(sent))}/send?${query}`;
  },
  refused: ({ code, field = "" }, sent) => {
    const page = `${endpointPath(readEndpointKey(sent))}/send`;
    if (code === TooManyRequests.code)
      return `${sent.get("hours") === undefined ? "" : page}?error=${code}`;
    return /^(which|range)/.test(field) ? `${page}?error=range` : undefined;
  },
});
