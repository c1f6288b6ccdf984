import { gameName } from "#app/_lib/settings";
import { Card } from "#app/_ui/card.tsx";
import { CutOff, type Typed } from "./cut-off";

/** Lets somebody in again who lost what they sign in with, and ends what somebody else set up. */
export function ResetSecondFactor({ accountId, typed }: { accountId: string; typed: Typed }) {
  return (
    <Card
      tone="danger"
      title="Second factor and passkeys"
      description={`Only for a player who proved who they are: ask by a message in ${gameName()}, never in the chat.`}
    >
      <CutOff
        label="Remove the second factor and passkeys"
        action={`/admin/accounts/${accountId}/act`}
        act="reset"
        typed={typed}
        reader="Shown to the player as a notice."
        consequences="The authenticator, all backup codes and all passkeys stop working, and the account is signed out everywhere. The player signs in with their game key or chat account alone and can set them up again."
      />
    </Card>
  );
}
