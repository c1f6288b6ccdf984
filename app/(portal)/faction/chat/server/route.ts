import { form } from "#app/_lib/form";
import { ServiceUnavailable, TooManyRequests, UnknownChatServer } from "#server/failures";

/** The faction's server or none, and the value that the page showed. */
export const POST = form({
  page: "/faction/chat",
  procedure: ({ factionChat }, sent) =>
    factionChat.nameServer({
      serverId: sent.get("act") === "clear" ? null : sent.get("server_id")?.trim(),
      shown: sent.get("shown") ?? null,
    }),
  done: (outcome, sent) => {
    if (outcome === "outdated") return "?error=outdated";
    return sent.get("act") === "clear" ? "?done=cleared" : "?done=named";
  },
  refused: ({ field, code }) => {
    if (field === "serverId") return "?error=number";
    if (code === UnknownChatServer.code) return "?error=no-bot";
    if (code === ServiceUnavailable.code) return "?error=silent";
    return code === TooManyRequests.code ? `?error=${code}` : undefined;
  },
});
