import { cache } from "react";
import { orNotFound } from "#app/_lib/caller";
import { adminCaller, adminMetadata } from "#app/_lib/current-user";
import { formatCount } from "#app/_lib/format";
import type { PageProps } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import {
  ActWithReasonButton,
  ConfirmationGate,
  DoneAlert,
  type ReasonFormValues,
  readReasonForm,
} from "#app/(portal)/admin/_parts/admin-acts.tsx";
import type { RouterOutputs } from "#server/portal/router";

const read = cache(async (accountId: string) =>
  orNotFound((await adminCaller()).admin.account({ accountId })),
);

export const generateMetadata = async ({ params }: PageProps<"accountId">) =>
  adminMetadata((await read((await params).accountId)).name);

export default async function Account({ params, searchParams }: PageProps<"accountId">) {
  const account = await read((await params).accountId);
  const {
    accountId,
    playerId,
    name,
    createdAt,
    lastSignInAt,
    bannedAt,
    bannedFor,
    sessions,
    consents,
  } = account;
  const typed = await readReasonForm(searchParams);
  return (
    <>
      <PageHeader
        trail={[{ label: "Accounts", href: "/admin/accounts" }]}
        title={<PlayerName name={name} playerId={playerId} />}
        media={<Avatar name={name} size="lg" />}
        status={
          <>
            {account.admin && <Badge tone="accent">Admin</Badge>}
            {bannedAt && <Badge tone="bad">Banned</Badge>}
          </>
        }
        actions={<LinkButton href={`/admin/audit?account=${playerId}`}>Audit log</LinkButton>}
      />
      <DoneAlert searchParams={searchParams} />
      {bannedAt && (
        <Alert
          tone="bad"
          title={
            <>
              Banned since <Time at={bannedAt} />
            </>
          }
        >
          The reason given: {bannedFor ?? "none"}
        </Alert>
      )}
      <Card title="Account">
        <KeyValueList
          items={[
            { label: "First sign-in", at: createdAt },
            { label: "Last sign-in", at: lastSignInAt },
            { label: "Signed in on", value: formatCount(sessions, "browser") },
            { label: "Second factor", value: account.secondFactor ? "On" : "Off" },
            { label: "Passkeys", value: account.passkeys === 0 ? "None" : account.passkeys },
            { label: "Connected applications", value: consents },
            {
              label: "Own applications",
              value:
                account.applications === 0 ? (
                  "None"
                ) : (
                  <TextLink
                    href={`/admin/applications?search=${playerId}`}
                  >{`${account.applications}`}</TextLink>
                ),
            },
            {
              label: "Account ID",
              copy: accountId,
            },
          ]}
        />
      </Card>
      <ConfirmationGate>
        <JudgeAccount account={account} typed={typed} />
        {(account.secondFactor || account.passkeys > 0) && (
          <ResetSecondFactor accountId={accountId} typed={typed} />
        )}
      </ConfirmationGate>
    </>
  );
}

type JudgeAccountProps = {
  account: RouterOutputs["admin"]["account"];
  typed: ReasonFormValues;
};

function JudgeAccount({ account, typed }: JudgeAccountProps) {
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
        <ActButton action={action} fields={{ act: "unban" }}>
          Lift the ban
        </ActButton>
      </Card>
    );
  return (
    <Card tone="danger" title="Ban this player">
      <ActWithReasonButton
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

function ResetSecondFactor({ accountId, typed }: { accountId: string; typed: ReasonFormValues }) {
  return (
    <Card
      tone="danger"
      title="Second factor and passkeys"
      description={`Only for a player who proved who they are: ask by a message in ${gameName()}, never in the chat.`}
    >
      <ActWithReasonButton
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
