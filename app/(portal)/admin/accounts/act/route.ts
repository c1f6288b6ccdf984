import { z } from "zod";
import { form } from "#app/_lib/form";

const doneWords: ReadonlyMap<string, string> = new Map([
  ["ban", "banned"],
  ["unban", "unbanned"],
  ["reset", "reset"],
]);
const at = (accountId = "", word = "nothing") => `/admin/accounts/${encodeURIComponent(accountId)}?done=${word}`;

export const POST = form({
  page: "/admin/accounts",
  fields: z.object({
    account_id: z.string().default(""),
    act: z.string().default(""),
    reason: z.string().default(""),
  }),
  procedure: async ({ admin }, { account_id: accountId, act, reason }) => {
    if (act === "ban") await admin.banAccount({ accountId, reason });
    else if (act === "unban") await admin.unbanAccount({ accountId });
    else if (act === "reset") await admin.resetSecondFactor({ accountId, reason });
    // Somebody who is no admin learns nothing, not even that there is no such act.
    else await admin.account({ accountId });
  },
  done: (_, { account_id, act }) => at(account_id, doneWords.get(act)),
  refused: ({ field }, { account_id }) => (field === "reason" ? at(account_id, "no-reason") : undefined),
});
