import { z } from "zod";
import { form } from "#app/_lib/form";

const doneWords: ReadonlyMap<string, string> = new Map([
  ["ban", "banned"],
  ["unban", "unbanned"],
  ["reset", "reset"],
]);

export const POST = form({
  page: ({ accountId = "" }) => `/admin/accounts/${encodeURIComponent(accountId)}`,
  fields: z.object({
    accountId: z.string(),
    act: z.string().default(""),
    reason: z.string().default(""),
  }),
  typed: ({ act, reason }) => ({ act, reason }),
  procedure: async ({ admin }, { accountId, act, reason }) => {
    if (act === "ban") await admin.banAccount({ accountId, reason });
    else if (act === "unban") await admin.unbanAccount({ accountId });
    else if (act === "reset") await admin.resetSecondFactor({ accountId, reason });
    // Without the admin role even the act's existence stays hidden.
    else await admin.account({ accountId });
  },
  done: (_, { act }) => `?done=${doneWords.get(act) ?? "nothing"}`,
  refused: ({ field }) => (field === "reason" ? "?error=no-reason" : undefined),
});
