import type { Settings } from "#server/platform/env";
import { type ChatClient, createChatClient } from "./client";
import { demoChatServer } from "./demo-server";
import { recordedChat } from "./recorded-chat";

/** The chat that the settings name; without one, messages are recorded and shown to nobody. */
export function createChat({ chatBot, demo }: Settings, now: () => Date): ChatClient {
  if (!chatBot) return recordedChat(demo ? [demoChatServer] : []);
  return createChatClient({ baseUrl: chatBot.apiUrl, token: chatBot.token, fetch: (request) => fetch(request), now });
}
