import { Snowflake } from "#server/chat/snowflake";
import { failureBehind } from "#server/trpc/refusal";
import { answerForm } from "./answer-form";

const page = "/faction/chat";

/** What went wrong, by the failure's status, in the words that the page knows. */
const refusals: Readonly<Record<number, string>> = { 404: "no-bot", 429: "busy", 503: "silent" };

/** The faction's side of its link: `server_id`, or `act` = `clear`; `shown` is the server that the page showed. */
export const postFactionChat = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ field, caller: { factionChat } }) => {
      const shown = field("shown");
      if (field("act") === "clear") {
        const outcome = await factionChat.nameServer({ serverId: null, shown });
        return outcome === "outdated" ? `${page}?error=outdated` : `${page}?done=cleared`;
      }
      const serverId = field("server_id")?.trim() ?? "";
      if (!Snowflake.safeParse(serverId).success) return `${page}?error=number`;
      try {
        const outcome = await factionChat.nameServer({ serverId, shown });
        if (outcome === "outdated") return `${page}?error=outdated`;
      } catch (thrown) {
        const word = refusals[failureBehind(thrown)?.kind.status ?? 0];
        if (!word) throw thrown;
        return `${page}?error=${word}`;
      }
      return `${page}?done=named`;
    },
  });
