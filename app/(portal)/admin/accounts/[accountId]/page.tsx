import { cache } from "react";
import { caller, orNotFound } from "#app/_lib/caller";
import { adminTitle, requireAdmin } from "#app/_lib/current-user";
import { formatCount } from "#app/_lib/format";
import type { SearchParams } from "#app/_lib/search-params";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { ConfirmFirst, Done, readTyped } from "../../_parts/admin-acts";
import { JudgeAccount, ResetSecondFactor } from "../../_parts/judge-account";

type Props = { params: Promise<{ accountId: string }>; searchParams: SearchParams };

const read = cache(async (accountId: string) => {
  await requireAdmin();
  return orNotFound((await caller()).admin.account({ accountId }));
});

export const generateMetadata = async ({ params }: Props) =>
  adminTitle((await read((await params).accountId)).name);

export default async function Account({ params, searchParams }: Props) {
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
  const typed = await readTyped(searchParams);
  return (
    <div className="grid gap-6">
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
      <Done searchParams={searchParams} />
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
            { label: "First sign-in", value: <Time at={createdAt} /> },
            { label: "Last sign-in", value: lastSignInAt ? <Time at={lastSignInAt} /> : "Never" },
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
      <ConfirmFirst>
        <JudgeAccount account={account} typed={typed} />
        {(account.secondFactor || account.passkeys > 0) && (
          <ResetSecondFactor accountId={accountId} typed={typed} />
        )}
      </ConfirmFirst>
    </div>
  );
}
