import { Card } from "#app/_ui/card.tsx";
import { CutOff } from "./cut-off";

/** Lets somebody in again who lost their authenticator and their backup codes. */
export function ResetSecondFactor({ accountId }: { accountId: string }) {
  return (
    <Card
      tone="danger"
      title="Second factor"
      description="Only for somebody who proved to you who they are: ask by a message in the game, never in the chat."
    >
      <CutOff
        label="Take it off"
        action="/admin/accounts/act"
        fields={{ account_id: accountId, act: "reset" }}
        reader="The player reads it as a notice."
        consequences="The authenticator and all backup codes end, and the account is signed out everywhere. Its owner signs in with the game key or the chat alone, and can set up a new one."
      />
    </Card>
  );
}
