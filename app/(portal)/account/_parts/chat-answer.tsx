import { Alert } from "#app/_ui/alert.tsx";
import { isSignInRefusal, type SignInRefusal, signInRefusals } from "#server/auth/sign-in-refused";

/** Refusals whose words on the sign-in page speak of signing in. */
const ofLinking: Partial<Record<SignInRefusal, string>> = {
  "chat-declined": "You did not agree in the chat, so nothing was linked.",
  "chat-unavailable": "The chat did not tell us who you are, so nothing was linked. Try again in a few minutes.",
  "chat-expired": "That link has expired, was already used, or was started in another sign-in. Start again.",
};

const good: Readonly<Record<string, string>> = {
  linked: "Your chat account is linked. You can sign in with it from now on.",
  unlinked: "Unlinked. The chat account can no longer sign in here.",
};

/**
 * Says what became of a link.
 * @param done where the last form, or the chat's answer, led: "linked", "unlinked", or a word of `signInRefusals`
 */
export function ChatAnswer({ done = "" }: { done: string | undefined }) {
  const sentence = Object.hasOwn(good, done) ? good[done] : undefined;
  if (sentence)
    return (
      <Alert tone="good" live>
        {sentence}
      </Alert>
    );
  if (!isSignInRefusal(done)) return null;
  return (
    <Alert tone="warn" title="Not linked" live>
      {ofLinking[done] ?? signInRefusals[done]}
    </Alert>
  );
}
