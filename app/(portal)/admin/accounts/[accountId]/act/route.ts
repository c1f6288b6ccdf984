import { formHandler } from "#app/_lib/form";
import { pathWith } from "#app/_ui/path-with";

export const POST = formHandler({
  page: "/admin/accounts/[accountId]",
  typed: ["act", "reason"],
  procedure: async ({ admin }, sent) => {
    const [accountId, reason] = [sent.get("accountId"), sent.get("reason")];
    const act = sent.get("act");
    if (act === "ban") await admin.banAccount({ accountId, reason });
    else if (act === "unban") await admin.unbanAccount({ accountId });
    else if (act === "reset") await admin.resetSecondFactor({ accountId, reason });
    // Reads the account, so that an unknown act is refused without the admin role, too.
    else await admin.account({ accountId });
  },
  done: (_, sent) => pathWith("", { done: sent.get("act") }),
  refused: { reason: "no-reason" },
});
