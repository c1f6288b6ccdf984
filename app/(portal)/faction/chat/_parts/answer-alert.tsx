import { FormAnswer } from "#app/_ui/form-answer.tsx";

const done = new Map([
  ["named", "Saved. See below for what is still missing."],
  ["cleared", "Your faction's chat server is unlinked. Requests that are waiting stay open."],
]);

const wrong = new Map([
  ["number", "That is not a server ID. Copy it from the chat: a number of 17 to 19 digits."],
  ["no-bot", "Our bot is not in that server. Invite it there first, then try again."],
  ["busy", "Too many tries. Wait a minute, then try again."],
  ["silent", "Nothing was saved: the chat does not answer. Try again in a minute."],
  ["outdated", "Nothing was saved: somebody else changed this since you opened the page. Check it, then try again."],
]);

/** What the form did that led here. */
export const AnswerAlert = (said: { what: string | undefined; error: string | undefined }) => (
  <FormAnswer {...said} done={done} wrong={wrong} />
);
