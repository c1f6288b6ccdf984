import { failureBehind } from "#server/trpc/refusal";
import { answerForm, type Form } from "./answer-form";
import { refusedField } from "./refused-field";

/**
 * The forms on a chat server's page: `act` = `list`, `unlist` or `banking`, with `faction_id`, `channel_id`, `role_id`, and
 * what the page showed as `shown_channel` and `shown_role`.
 */
export const postChatServer = (request: Request, serverId: string): Promise<Response> => {
  const page = `/chat-servers/${encodeURIComponent(serverId)}`;
  return answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async (form) => {
      const factionId = Number(/^[0-9]{1,9}$/.exec(form.field("faction_id")?.trim() ?? "")?.[0] ?? 0);
      if (factionId === 0) return `${page}?error=faction_id`;
      try {
        const done = await executeAct(form, { serverId, factionId });
        return done === "outdated" ? `${page}?error=outdated` : `${page}?done=${done}`;
      } catch (thrown) {
        const status = failureBehind(thrown)?.kind.status;
        const word = refusedField(thrown) ?? (status === 503 ? "silent" : status === 403 ? "unlisted" : undefined);
        if (!word) throw thrown;
        return `${page}?error=${encodeURIComponent(word)}`;
      }
    },
  });
};

/** @returns the word for what was done */
async function executeAct(
  { field, fields, caller: { factionChat } }: Form,
  of: { serverId: string; factionId: number },
): Promise<string> {
  const act = field("act");
  if (act === "list") {
    await factionChat.list(of);
    return "listed";
  }
  if (act === "unlist") {
    await factionChat.unlist(of);
    return "unlisted";
  }
  if (act !== "banking") return "nothing";
  const channelId = field("channel_id");
  const shown = { channelId: field("shown_channel"), roleIds: fields("shown_role") };
  const outcome = await factionChat.banking({ ...of, channelId, roleIds: fields("role_id"), shown });
  if (outcome === "outdated") return outcome;
  return channelId === null ? "off" : "banking";
}
