import { caller } from "#app/_lib/caller";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { Time } from "#app/_ui/time.tsx";

/**
 * The chat account that may sign in to this account, and the ways to link and unlink it. Not there where nobody can sign in
 * with a chat account and none is linked.
 */
export async function ChatAccount() {
  const { offered, link } = await (await caller()).chat.link();
  if (!offered && !link) return null;
  return (
    <Card
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
            consequences="It can no longer sign in here. Browsers that are signed in stay signed in: end them under “Sign-ins”. You can still sign in with your game key."
          />
        ) : (
          <CsrfForm action="/account/chat/link">
            <Button type="submit" size="sm">
              Link a chat account
            </Button>
          </CsrfForm>
        )
      }
    >
      {link && (
        <KeyValueList
          items={[
            { label: "Chat account", value: <span className="tabular">{link.chatId}</span> },
            { label: "Linked", value: <Time at={link.linkedAt} /> },
            { label: "Last sign-in", value: link.lastSignInAt ? <Time at={link.lastSignInAt} /> : "Not yet" },
          ]}
        />
      )}
    </Card>
  );
}
