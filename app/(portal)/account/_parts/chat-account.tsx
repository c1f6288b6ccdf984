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
      title="Sign-in with the chat"
      description={
        link
          ? "Whoever is signed in to this chat account can sign in here without a game key."
          : "Link your chat account to sign in here without a game key. Whoever can use that account can then use this one."
      }
      footer={
        link ? (
          <Confirmation
            label="Unlink the chat account"
            action="/account/chat/unlink"
            consequences="It cannot sign in here any more from this moment. Browsers that are signed in stay so: end them on the page “Sign-ins”. Your game key stays the way in."
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
