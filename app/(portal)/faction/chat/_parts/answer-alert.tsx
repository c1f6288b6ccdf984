import { FormAnswer } from "#app/_ui/form-answer.tsx";

const done = new Map([
  ["named", "Your faction's side is saved. What is still missing stands below."],
  ["cleared", "Your faction names no chat server any more. Requests that are waiting stay where they are."],
]);

const wrong = new Map([
  ["number", "That is no server ID. It is a number of 17 to 19 digits; copy it from the chat."],
  ["no-bot", "Our bot is not in that server. Invite it there first, then try again."],
  ["busy", "That was too many tries at once. Wait a minute, then try again."],
  ["silent", "The chat does not answer at the moment. Try again in a minute. Nothing was changed."],
  [
    "outdated",
    "Somebody else changed this since you opened the page. Nothing of yours was saved: look, then try again.",
  ],
]);

/** What the form did that led here. */
export const AnswerAlert = (said: { what: string | undefined; error: string | undefined }) => (
  <FormAnswer {...said} done={done} wrong={wrong} />
);
