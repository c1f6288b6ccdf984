import { BadgeCheck, Boxes } from "lucide-react";
import { caller } from "#app/_lib/caller";
import { formatCappedNumber, formatNumber } from "#app/_lib/format";
import { ListFooter } from "#app/_parts/list-footer.tsx";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Badge, Status } from "#app/_ui/badge.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { ListedApplication } from "#server/oauth/clients/own-applications";
import { hasManyErrors } from "./describe-calls";

/** Newest first. */
export async function ApplicationsTable({ after }: { after: string | undefined }) {
  const { rows: applications, next } = await (await caller()).applications.list({
    after: after ?? null,
  });
  const bounded = applications.some(({ figures: { users, tokens } }) => users.more || tokens.more);
  return (
    <>
      <DataTable
        caption="Applications"
        rows={applications}
        rowKey={(application) => application.clientId}
        empty={
          <EmptyState
            icon={<Boxes />}
            title="No application yet"
            action={
              <LinkButton href="/developers/playground">Look around in the playground</LinkButton>
            }
          >
            An application asks players for access and calls the API in their name. Registering
            takes two minutes; the playground makes a first call without it.
          </EmptyState>
        }
        columns={[
          {
            key: "name",
            header: "Application",
            primary: true,
            cell: ({ clientId, name, kind, verified }) => (
              <span className="flex min-w-0 items-center gap-2.5">
                <Avatar name={name} size="sm" shape="square" />
                <TextLink
                  href={`/developers/apps/${clientId}`}
                  plain
                  className="min-w-0 font-medium wrap-anywhere hover:underline"
                >
                  {name}
                </TextLink>
                {kind === "public" && <Badge>Public</Badge>}
                {verified && (
                  <Badge tone="good" icon={<BadgeCheck aria-hidden="true" />}>
                    Verified
                  </Badge>
                )}
              </span>
            ),
          },
          {
            key: "health",
            header: "Health",
            unlabelled: true,
            nowrap: true,
            cell: (application) => <ApplicationHealth application={application} />,
          },
          {
            key: "users",
            header: "Players",
            numeric: true,
            cell: ({ figures }) => formatCappedNumber(figures.users),
          },
          {
            key: "tokens",
            header: "Live tokens",
            numeric: true,
            cell: ({ figures }) => formatCappedNumber(figures.tokens),
          },
          {
            key: "calls",
            header: "Calls",
            numeric: true,
            cell: ({ figures }) => formatNumber(figures.calls),
          },
          {
            key: "errors",
            header: "Errors",
            numeric: true,
            cell: ({ figures }) => formatNumber(figures.errors),
          },
          {
            key: "since",
            header: "Registered",
            nowrap: true,
            cell: ({ createdAt }) => <Time at={createdAt} />,
          },
        ]}
      />
      {(after !== undefined || next !== null) && (
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 text-sm text-ink-soft sm:px-5">
          <ListFooter address="/developers" after={after} next={next}>
            Newest first.
          </ListFooter>
        </div>
      )}
      {bounded && (
        <p className="border-t border-line px-4 py-3 text-sm text-ink-faint sm:px-5">
          A plus sign means at least that many.
        </p>
      )}
    </>
  );
}

export function ApplicationHealth({ application }: { application: ListedApplication }) {
  const { suspended, openedAt, figures } = application;
  if (suspended) return <Status tone="bad">Suspended</Status>;
  if (hasManyErrors(figures)) return <Status tone="warn">Many errors</Status>;
  if (!openedAt) return <Status tone="neutral">In test</Status>;
  if (figures.calls === 0)
    return <Status tone="neutral">{figures.users.count === 0 ? "Not used yet" : "Quiet"}</Status>;
  return <Status tone="good">Healthy</Status>;
}
