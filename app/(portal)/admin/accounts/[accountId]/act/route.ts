import { form } from "#app/_lib/form";

const doneWords: ReadonlyMap<string | undefined, string> = new Map([
  ["ban", "banned"],
  ["unban", "unbanned"],
  ["reset", "reset"],
]);

export const POST = form({
  page: ({ accountId = "" }) => `/admin/accounts/${encodeURIComponent(accountId)}`,
  typed: ["act", "reason"],
  procedure: async ({ admin }, sent) => {
    const [accountId, reason] = [sent.get("accountId"), sent.get("reason")];
    const act = sent.get("act");
    if (act === "ban") await admin.banAccount({ accountId, reason });
    else if (act === "unban") await admin.unbanAccount({ accountId });
    else if (act === "reset") await admin.resetSecondFactor({ accountId, reason });
    // Without the admin role even the act's existence stays hidden.
    else await admin.account({ accountId });
  },
  done: (_, sent) => `?done=${doneWords.get(sent.get("act")) ?? "nothing"}`,
  refused: ({ field }) => (field === "reason" ? "?error=no-reason" : undefined),
});
