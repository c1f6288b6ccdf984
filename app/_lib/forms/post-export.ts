import { answerForm } from "./answer-form";

/** The form that gives the account's export, as a file to keep. */
export const postExport = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: "/account" },
    act: async ({ caller }) => {
      const { json } = await caller.account.export();
      const headers = {
        "content-type": "application/json; charset=utf-8",
        "content-disposition": 'attachment; filename="adjutant-account.json"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      };
      return new Response(json, { headers });
    },
  });
