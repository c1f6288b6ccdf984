import { chatClientOf } from "#server/chat/client";
import { chatCommands } from "#server/faction/chat-commands/execute-chat-command";
import { readSettings } from "#server/platform/env";

/** `npm run chat:commands`. Idempotent. */
const settings = readSettings();
if (!settings.chatBot) {
  process.stderr.write("CHAT_API_URL and CHAT_BOT_TOKEN are missing: there is no chat to tell.\n");
  process.exit(1);
}
await chatClientOf(settings, () => new Date()).registerCommands(chatCommands);
process.stdout.write(`Registered: ${chatCommands.map(({ name }) => `/${name}`).join(" ")}\n`);
