import type { Job } from "#server/jobs/job";
import { refreshServers } from "../servers/refresh-servers";

/** Which chat servers our bot is in, and who administers them. */
export const refreshChatServers: Job = {
  name: "refresh-chat-servers",
  cadence: { everySeconds: 3_600 },
  budget: 0,
  run: (ctx, { signal }) => refreshServers(ctx, signal),
};
