import { Alert } from "#ui/alert";

const done: ReadonlyMap<string, string> = new Map([
  ["requested", "Your request is made. The bankers see it in the chat, and you are told what becomes of it."],
  ["cancelled", "The request is cancelled. Nobody pays it any more."],
]);

const noServer = "The faction's chat server is not set up for banking, so no banker would see the request.";
const noAnswer = "The game did not answer, so your balance is not known. Wait a minute and try again.";
const errors: ReadonlyMap<string, string> = new Map([
  ["amount", "That is no amount. Write a whole number such as 250000, or 2,500,000, 1.5m, 100k, or all."],
  ["gone", "The request is over already, or it is not yours to cancel."],
  ["1001", noServer],
  ["4021", noServer],
  ["1603", noServer],
  ["1102", "You are in no faction."],
  ["1201", "No member's game key can read the vault. Somebody with faction API access must sign in here first."],
  ["1602", "Your balance does not cover it, together with what you asked for already."],
  ["4100", noAnswer],
  ["4101", noAnswer],
]);

/** What the form did that led here, or why it did nothing. */
export function AnswerAlert({ what, error }: { what: string | undefined; error: string | undefined }) {
  const sentence = what && done.get(what);
  if (sentence)
    return (
      <Alert tone="good" live>
        {sentence}
      </Alert>
    );
  if (error === undefined) return null;
  return (
    <Alert tone="bad" title="Nothing was done" live>
      {errors.get(error) ?? "That did not work. Try again in a minute."}
    </Alert>
  );
}
