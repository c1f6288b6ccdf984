import { caller } from "#app/_lib/caller";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { Time } from "#app/_ui/time.tsx";
import { isSignInRefusal, type SignInRefusal, signInRefusals } from "#server/auth/sign-in-refused";

/** Chat link and unlink; hidden if chat sign-in is off and no account is linked. */
export async function ChatAccount() {
  const { offered, link } = await (await caller()).chat.link();
  if (!offered && !link) return null;
  return (
    <Card
      id="chat"
      title="Sign in with your chat account"
      description={
        link
          ? "Anyone signed in to this chat account can sign in here without a game key."
          : "Link your chat account to sign in without a game key. Anyone who can use that account can then use this one."
      }
      footer={
        link ? (
          <Confirmation
            label="Unlink the chat account"
            action="/account/chat/unlink"
            consequences="It can no longer sign in here. Browsers that are signed in stay signed in: end them under “Sessions”. You can still sign in with your game key."
          />
        ) : (
          <ActButton action="/account/chat/link">Link a chat account</ActButton>
        )
      }
    >
      {link && (
        <KeyValueList
          items={[
            { label: "Chat account", value: <span className="tabular">{link.chatId}</span> },
            { label: "Linked", value: <Time at={link.linkedAt} /> },
            {
              label: "Last sign-in",
              value: link.lastSignInAt ? <Time at={link.lastSignInAt} /> : "Not yet",
            },
          ]}
        />
      )}
    </Card>
  );
}

/** Refusals with sign-in wording on the sign-in page. */
const ofLinking: Partial<Record<SignInRefusal, string>> = {
  "chat-declined": "You did not agree in the chat, so nothing was linked.",
  "chat-unavailable":
    "The chat did not tell us who you are, so nothing was linked. Try again in a few minutes.",
  "chat-expired":
    "That link has expired, was already used, or was started in another sign-in. Start again.",
};

const good: Readonly<Record<string, string>> = {
  linked: "Your chat account is linked. You can sign in with it from now on.",
  unlinked: "Unlinked. The chat account can no longer sign in here.",
};

/** @param done result in the address: "linked", "unlinked", or a word of `signInRefusals` */
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
