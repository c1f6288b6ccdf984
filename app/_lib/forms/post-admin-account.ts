import { Reason } from "#server/admin/contract";
import { answerForm } from "./answer-form";

const page = "/admin/accounts";

/** The forms on an account's page for admins: `account_id`, `act` = `ban` | `unban`, and a `reason` for a ban. */
export const postAdminAccount = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ field, caller: { admin } }) => {
      const accountId = field("account_id") ?? "";
      // Whoever is no admin learns nothing, not even what a form of theirs lacks.
      await admin.account({ accountId });
      const on = (done: string) => `${page}/${accountId}?done=${done}`;
      if (field("act") === "unban") {
        await admin.unbanAccount({ accountId });
        return on("unbanned");
      }
      if (field("act") !== "ban") return on("nothing");
      const reason = Reason.safeParse(field("reason"));
      if (!reason.success) return on("no-reason");
      await admin.banAccount({ accountId, reason: reason.data });
      return on("banned");
    },
  });
