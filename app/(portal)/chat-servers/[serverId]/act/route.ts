import { formHandler } from "#app/_lib/form";
import { FactionNotLinked, ServiceUnavailable } from "#server/failures";

const inputs = ["faction_id", "channel_id", "role_ids"];

export const POST = formHandler({
  page: "/chat-servers/[serverId]",
  procedure: ({ factionChat }, sent): Promise<unknown> | undefined => {
    const link = { serverId: sent.get("serverId"), factionId: sent.number("faction_id") };
    const act = sent.get("act");
    if (act === "list" || act === "unlist") return factionChat[act](link);
    if (act !== "banking") return undefined;
    return factionChat.banking({
      ...link,
      channelId: sent.get("channel_id") ?? null,
      roleIds: sent.getAll("role_id"),
      /** Values that the page showed; a save is refused if they changed since. */
      shown: {
        channelId: sent.get("shown_channel") ?? null,
        roleIds: sent.getAll("shown_role"),
      },
    });
  },
  done: (outcome, sent) => {
    if (outcome === "outdated") return "?error=outdated";
    const act = sent.get("act");
    if (act !== "banking") return `?done=${act}ed`;
    return sent.get("channel_id") === undefined ? "?done=off" : "?done=banking";
  },
  refused: ({ field = "", code }) => {
    const input = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (inputs.includes(input)) return `?error=${input}`;
    if (code === ServiceUnavailable.code) return "?error=silent";
    return code === FactionNotLinked.code ? `?error=${code}` : undefined;
  },
});
