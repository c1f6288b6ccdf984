import { FormAnswer } from "#app/_ui/form-answer.tsx";

const done = new Map([
  ["listed", "The faction is listed. It is linked as soon as it names this server, too."],
  ["unlisted", "The faction is off the list. Its link to this server is over."],
  ["banking", "The banking channel is saved. New requests are shown there."],
  ["off", "Banking is off. Nobody of this faction can make new requests until you choose a channel."],
]);

const wrong = new Map([
  ["faction_id", "No faction with that number is known here. A member of it has to sign in once."],
  ["channel_id", "The server has no such text channel any more. Choose one from the list."],
  ["role_ids", "Choose at most ten roles that the server still has."],
  ["silent", "The chat does not answer at the moment. Try again in a minute. Nothing was changed."],
  ["unlisted", "The faction is not on the list any more. Nothing was changed."],
  [
    "outdated",
    "Somebody else changed this since you opened the page. Nothing of yours was saved: look, then try again.",
  ],
]);

/** What the form did that led here. */
export const AnswerAlert = (said: { what: string | undefined; error: string | undefined }) => (
  <FormAnswer {...said} done={done} wrong={wrong} />
);
