import { FormAnswer } from "#app/_ui/form-answer.tsx";

const done = new Map([
  ["listed", "The faction is listed. It is linked as soon as it names this server too."],
  ["unlisted", "The faction is removed. It is no longer linked to this server."],
  ["banking", "Banking channel saved. New requests are shown there."],
  ["off", "Banking is off. Members cannot make requests until you choose a channel."],
]);

const wrong = new Map([
  ["faction_id", "We don't know a faction with that ID. One of its members has to sign in here first."],
  ["channel_id", "That text channel no longer exists. Choose one from the list."],
  ["role_ids", "Choose at most ten roles, from the list."],
  ["silent", "Nothing was saved: the chat does not answer. Try again in a minute."],
  ["unlisted", "Nothing was saved: the faction is no longer listed."],
  ["outdated", "Nothing was saved: somebody else changed this since you opened the page. Check it, then try again."],
]);

/** What the form did that led here. */
export const AnswerAlert = (said: { what: string | undefined; error: string | undefined }) => (
  <FormAnswer {...said} done={done} wrong={wrong} />
);
