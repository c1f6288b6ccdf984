import { formHandler } from "#app/_lib/form";
import type { ImportFault } from "#server/stats/entries/stat-import";

const mostShown = 8;

/** One wrong line cancels the whole import. */
export const POST = formHandler({
  page: "/faction/stats",
  procedure: ({ factionStats }, sent) => factionStats.import({ text: sent.get("text") ?? "" }),
  done: (answer) =>
    "imported" in answer
      ? `?done=imported&imported=${answer.imported}&known=${answer.known}`
      : {
          status: 400,
          title: "The import has errors",
          sentence: `${describeFaults(answer.faults)} Nothing was imported. Go back, correct it and import again.`,
          on: { href: "/faction/stats", text: "Back to the faction's scores" },
        },
});

function describeFaults(faults: readonly ImportFault[]): string {
  const sentences = faults.slice(0, mostShown).map(({ line, message }) => {
    const words = message.replace(/\.$/, "");
    return line === 0 ? `${words}.` : `Line ${line}: ${words}.`;
  });
  return [...sentences, ...(faults.length > mostShown ? ["There are more."] : [])].join(" ");
}
