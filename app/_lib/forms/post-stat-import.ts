import type { ImportFault } from "#server/stats/imports/parse-import";
import { answerForm } from "./answer-form";
import { refusedForm } from "./form-answer";

const page = "/faction/stats";
/** More do not help at one reading. */
const shown = 8;

/** A stat site's export for the faction: `text`. Where a row is wrong the lines are named, and nothing was taken. */
export const postStatImport = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ field, caller }) => {
      const answer = await caller.factionStats.import({ text: field("text") ?? "" });
      if ("imported" in answer) return `${page}?imported=${answer.imported}&known=${answer.known}`;
      const on = { href: page, text: "Back to the faction's scores" };
      const sentence = `${inWords(answer.faults)} Nothing was imported. Go back, correct it and import again.`;
      const refusal = { status: 400, title: "The import has errors", sentence, on };
      return refusedForm(refusal, request.headers.get("x-nonce"));
    },
  });

function inWords(faults: readonly ImportFault[]): string {
  const sentences = faults.slice(0, shown).map(({ line, message }) => {
    const words = message.replace(/\.$/, "");
    return line === 0 ? `${words}.` : `Line ${line}: ${words}.`;
  });
  return [...sentences, ...(faults.length > shown ? ["There are more."] : [])].join(" ");
}
