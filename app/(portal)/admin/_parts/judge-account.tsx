import { formatCount } from "#app/_lib/format";
import { gameName } from "#app/_lib/settings";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import type { Answers } from "#server/portal/router";
import { ActWithReason, type Typed } from "./admin-acts";

type Props = {
  account: Answers["admin"]["account"];
  typed: Typed;
};

export function JudgeAccount({ account, typed }: Props) {
  const { accountId, bannedAt, admin, sessions, applications } = account;
  const action = `/admin/accounts/${accountId}/act`;
  if (admin)
    return (
      <Card title="Ban">
        <p>
          This is an admin's account. Take the player out of ADMIN_USER_IDS before you ban them.
        </p>
      </Card>
    );
  if (bannedAt)
    return (
      <Card
        title="Ban"
        description="When the ban is lifted, the applications that the player approved work again, and so do the player's own."
      >
        <CsrfForm action={action} fields={{ act: "unban" }}>
          <Button type="submit" size="sm">
            Lift the ban
          </Button>
        </CsrfForm>
      </Card>
    );
  return (
    <Card tone="danger" title="Ban this player">
      <ActWithReason
        label="Ban"
        action={action}
        act="ban"
        typed={typed}
        reader="Shown to the player when they try to sign in."
        consequences={`${formatCount(sessions, "browser is", "browsers are")} signed out at once, every token that the player allowed is dead, and ${formatCount(applications, "application of theirs is", "applications of theirs are")} suspended. Nothing is deleted: the ban can be lifted.`}
      />
    </Card>
  );
}

/** For a lost or stolen second factor. */
export function ResetSecondFactor({ accountId, typed }: { accountId: string; typed: Typed }) {
  return (
    <Card
      tone="danger"
      title="Second factor and passkeys"
      description={`Only for a player who proved who they are: ask by a message in ${gameName()}, never in the chat.`}
    >
      <ActWithReason
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
