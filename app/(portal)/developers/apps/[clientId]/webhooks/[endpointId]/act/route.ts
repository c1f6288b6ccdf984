import { formHandler } from "#app/_lib/form";
import { TooManyRequests } from "#server/failures";
import { endpointPath, endpointsPath, readEndpointKey } from "../../_parts/endpoint-path";

/** Acts that show their result in place call procedures instead of this route. */
export const POST = formHandler({
  page: endpointPath,
  procedure: ({ webhooks }, sent): Promise<unknown> | undefined => {
    const key = readEndpointKey(sent);
    switch (sent.get("act")) {
      case "change":
        return webhooks.change({
          ...key,
          description: sent.get("description") ?? "",
          types: sent.getAll("type"),
        });
      case "move":
        return webhooks.change({ ...key, url: sent.get("url") ?? "" });
      case "pause":
        return webhooks.pause(key);
      case "resume":
        return webhooks.resume({ ...key, from: sent.get("from") ?? "stopped" });
      case "remove":
        return webhooks.remove(key);
    }
  },
  done: (_, sent) => {
    const act = sent.get("act");
    const done = `?done=${act}`;
    if (act === "remove") return `${endpointsPath(sent.get("clientId"))}${done}`;
    return act === "change" ? `${endpointPath(readEndpointKey(sent))}/events${done}` : done;
  },
  refused: ({ code }) => (code === TooManyRequests.code ? `?error=${code}` : undefined),
});
