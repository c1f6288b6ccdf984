import { formHandler } from "#app/_lib/form";
import { FactionNotLinked, ServiceUnavailable } from "#server/failures";

/** Saves only if the values are still those that the page showed. */
export const POST = formHandler({
  page: "/faction/chat",
  procedure: ({ factionChat }, sent) =>
    factionChat.setEvents({
      choice: { channelId: sent.get("channel_id") ?? null, shown: sent.getAll("shown") },
      shownBefore: {
        channelId: sent.get("before_channel") ?? null,
        shown: sent.getAll("before_shown"),
      },
    }),
  done: (outcome, sent) => {
    if (outcome === "outdated") return "?error=outdated";
    return sent.get("channel_id") === undefined ? "?done=events-off" : "?done=events";
  },
  refused: {
    shown: "shown",
    channel_id: "channel_id",
    "choice.channelId": "channel_id",
    "shownBefore.channelId": "channel_id",
    [ServiceUnavailable.code]: "silent",
    [FactionNotLinked.code]: `${FactionNotLinked.code}`,
  },
});
