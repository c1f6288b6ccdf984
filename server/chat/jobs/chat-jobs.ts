import type { Job } from "#server/jobs/job";
import { hourSeconds } from "#server/platform/durations";
import { deliverDue } from "../deliver-message";
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
  cadence: { everySeconds: hourSeconds },
  budget: 0,
  run: (ctx, { signal }) => refreshServers(ctx, signal),
};
