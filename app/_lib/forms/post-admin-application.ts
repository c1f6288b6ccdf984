import { Reason } from "#server/admin/contract";
import { refusalReason } from "#server/trpc/refusal";
import { answerForm, type Form } from "./answer-form";

const page = "/admin/applications";

/** The forms on an application's page for admins: `client_id`, `act`, and a `reason` where somebody is cut off. */
export const postAdminApplication = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async (form) => {
      const clientId = form.field("client_id") ?? "";
      return `${page}/${encodeURIComponent(clientId)}?done=${await executeAct(form, clientId)}`;
    },
  });

/** @returns the word for what was done */
async function executeAct({ field, caller: { admin } }: Form, clientId: string): Promise<string> {
  const act = field("act");
  if (act === "verify" || act === "unverify") {
    const verified = act === "verify";
    // A form without a version is none of ours; 1 is as old as a version can be.
    const version = Number(/^\d{1,9}$/.exec(field("version") ?? "")?.[0] ?? 1);
    try {
      await admin.verifyApplication({ clientId, version, verified });
    } catch (thrown) {
      if (refusalReason(thrown) !== "APPLICATION_CHANGED") throw thrown;
      return "outdated";
    }
    return verified ? "verified" : "unverified";
  }
  if (act === "resume") {
    await admin.resumeApplication({ clientId });
    return "resumed";
  }
  if (act !== "suspend") return "nothing";
  const reason = Reason.safeParse(field("reason"));
  // Asked for without one, so that only an admin learns that a reason is missing.
  await admin.application({ clientId });
  if (!reason.success) return "no-reason";
  await admin.suspendApplication({ clientId, reason: reason.data });
  return "suspended";
}
