import { createChat } from "#server/chat/create-chat";
import { chatCommands } from "#server/faction/chat-commands/run-commands";
import { readSettings } from "#server/platform/env";

/** `npm run chat:commands`: makes the product's commands known to the chat that the settings name. Once more changes nothing. */
const settings = readSettings();
if (!settings.chatBot) {
  process.stderr.write("CHAT_API_URL and CHAT_BOT_TOKEN are missing: there is no chat to tell.\n");
  process.exit(1);
}
await createChat(settings, () => new Date()).registerCommands(chatCommands);
process.stdout.write(`Registered: ${chatCommands.map(({ name }) => `/${name}`).join(" ")}\n`);
