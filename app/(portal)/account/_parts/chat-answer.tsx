import { Alert } from "#app/_ui/alert.tsx";
import { isSignInRefusal, type SignInRefusal, signInRefusals } from "#server/auth/sign-in-refused";

/** Refusals whose words on the sign-in page speak of signing in. */
const ofLinking: Partial<Record<SignInRefusal, string>> = {
  "chat-declined": "The chat says that you did not agree. Nothing was linked.",
  "chat-unavailable": "The chat did not say who you are, so nothing was linked. Try again in a few minutes.",
  "chat-expired":
    "That link was started by another sign-in or more than ten minutes ago, or it was used already. Start it again.",
};

const good: Readonly<Record<string, string>> = {
  linked: "Your chat account is linked. You can sign in with it from now on.",
  unlinked: "Unlinked. The chat account cannot sign in here any more.",
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
