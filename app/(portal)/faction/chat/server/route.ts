import { formHandler } from "#app/_lib/form";
import { ServiceUnavailable, TooManyRequests, UnknownChatServer } from "#server/failures";

/** Saves only if the server is still the one that the page showed. */
export const POST = formHandler({
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
  refused: {
    serverId: "number",
    [UnknownChatServer.code]: "no-bot",
    [ServiceUnavailable.code]: "silent",
    [TooManyRequests.code]: `${TooManyRequests.code}`,
  },
});
