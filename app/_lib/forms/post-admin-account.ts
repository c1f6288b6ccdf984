import { Reason } from "#server/admin/contract";
import { answerForm } from "./answer-form";

const page = "/admin/accounts";

/** The forms on an account's page for admins: `account_id`, `act` = `ban` | `unban` | `reset`, and a `reason` but for `unban`. */
export const postAdminAccount = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ field, caller: { admin } }) => {
      const accountId = field("account_id") ?? "";
      // Somebody who is no admin learns nothing, not even what the form lacks.
      await admin.account({ accountId });
      const on = (done: string) => `${page}/${accountId}?done=${done}`;
      if (field("act") === "unban") {
        await admin.unbanAccount({ accountId });
        return on("unbanned");
      }
      const act = field("act");
      if (act !== "ban" && act !== "reset") return on("nothing");
      const reason = Reason.safeParse(field("reason"));
      if (!reason.success) return on("no-reason");
      const judged = { accountId, reason: reason.data };
      await (act === "ban" ? admin.banAccount(judged) : admin.resetSecondFactor(judged));
      return on(act === "ban" ? "banned" : "reset");
    },
  });
