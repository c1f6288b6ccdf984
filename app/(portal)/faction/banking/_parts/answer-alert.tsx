import { FormAnswer } from "#app/_ui/form-answer.tsx";

const done = new Map([
  ["requested", "Request sent. Your bankers see it in the chat, and you get a notice when it is answered."],
  ["cancelled", "The request is cancelled."],
]);

const noServer =
  "Nothing was asked for: the faction's chat server is not set up for banking, so no banker would see the request.";
const noAnswer = "Nothing was asked for: the game did not say what your balance is. Wait a minute and try again.";
const wrong = new Map([
  ["4000", "Nothing was asked for: you read your balance too often. Wait a minute and try again."],
  [
    "key_budget",
    "Nothing was asked for: the calls of the faction's game keys for this minute are used up. Wait a minute and try again.",
  ],
  ["gone", "Nothing was cancelled: the request is over already, or it is not yours to cancel."],
  ["1001", noServer],
  ["4021", noServer],
  ["1603", noServer],
  ["1102", "Nothing was asked for: you are in no faction."],
  [
    "1201",
    "Nothing was asked for: no member's game key can read the vault. Somebody with faction API access must sign in here first.",
  ],
  ["1602", "Nothing was asked for: your balance does not cover it, together with what you asked for already."],
  ["4100", noAnswer],
  ["4101", noAnswer],
]);

/** What the form did that led here, or why it did nothing. */
export const AnswerAlert = (said: { what: string | undefined; error: string | undefined }) => (
  <FormAnswer {...said} done={done} wrong={wrong} />
);
