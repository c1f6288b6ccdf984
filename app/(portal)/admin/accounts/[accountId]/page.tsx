import { notFound } from "next/navigation";
import { cache } from "react";
import { z } from "zod";
import { caller } from "#lib/caller";
import { countOf } from "#lib/count-of";
import { adminTitle, requireAdmin } from "#lib/current-admin";
import { isUnknown } from "#lib/is-unknown";
import type { SearchParams } from "#lib/search-params";
import { Alert } from "#ui/alert";
import { Avatar } from "#ui/avatar";
import { Badge } from "#ui/badge";
import { Card } from "#ui/card";
import { KeyValueList } from "#ui/key-value-list";
import { LinkButton } from "#ui/link-button";
import { PageHeader } from "#ui/page-header";
import { TextLink } from "#ui/text-link";
import { Time } from "#ui/time";
import { ConfirmFirst } from "../../_parts/confirm-first";
import { Done } from "../../_parts/done";
import { JudgeAccount } from "../../_parts/judge-account";
import { ResetSecondFactor } from "../../_parts/reset-second-factor";

type Props = { params: Promise<{ accountId: string }>; searchParams: SearchParams };

const read = cache(async (text: string) => {
  await requireAdmin();
  const accountId = z.uuid().safeParse(text);
  if (!accountId.success) notFound();
  return (await caller()).admin.account({ accountId: accountId.data }).catch((thrown: unknown) => {
    if (isUnknown(thrown)) notFound();
    throw thrown;
  });
});

export const generateMetadata = async ({ params }: Props) => adminTitle((await read((await params).accountId)).name);

/** One account, and what an admin may do about it. */
export default async function Account({ params, searchParams }: Props) {
  const account = await read((await params).accountId);
  const { accountId, playerId, name, createdAt, lastSignInAt, bannedAt, bannedFor, sessions, consents } = account;
  return (
    <div className="grid gap-6">
      <PageHeader
        trail={[{ label: "Accounts", href: "/admin/accounts" }]}
        title={
          <>
            <bdi>{name}</bdi> <span className="tabular font-normal text-ink-faint">[{playerId}]</span>
          </>
        }
        media={<Avatar name={name} size="lg" />}
        status={
          <>
            {account.admin && <Badge tone="accent">Admin</Badge>}
            {bannedAt && <Badge tone="bad">Banned</Badge>}
          </>
        }
        actions={<LinkButton href={`/admin/audit?account=${playerId}`}>Its audit log</LinkButton>}
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
            { label: "Signed in on", value: countOf(sessions, "browser") },
            { label: "Second factor", value: account.secondFactor ? "On" : "Off" },
            { label: "Connected applications", value: consents },
            {
              label: "Own applications",
              value:
                account.applications === 0 ? (
                  "None"
                ) : (
                  <TextLink href={`/admin/applications?search=${playerId}`}>{`${account.applications}`}</TextLink>
                ),
            },
            { label: "Account ID", value: <code className="font-mono text-sm">{accountId}</code>, copy: accountId },
          ]}
        />
      </Card>
      <ConfirmFirst here={`/admin/accounts/${accountId}`}>
        <JudgeAccount account={account} />
        {account.secondFactor && <ResetSecondFactor accountId={accountId} />}
      </ConfirmFirst>
    </div>
  );
}
