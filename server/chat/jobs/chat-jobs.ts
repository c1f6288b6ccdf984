import type { Job } from "#server/jobs/job";
import { deliverDue } from "../deliver-due";
import { refreshServers } from "../servers/refresh-servers";

/** Brings to the chat what nobody delivered at once: retries, and what a process left that died. */
export const deliverChat: Job = {
  name: "deliver-chat",
  cadence: { everySeconds: 10 },
  budget: 0,
  run: (ctx, { signal }) => deliverDue(ctx, signal),
};

/** Which chat servers our bot is in, and who administers them. */
export const refreshChatServers: Job = {
  name: "refresh-chat-servers",
  cadence: { everySeconds: 3_600 },
  budget: 0,
  run: (ctx, { signal }) => refreshServers(ctx, signal),
};
