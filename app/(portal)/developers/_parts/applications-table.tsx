import { Boxes } from "lucide-react";
import { caller } from "#app/_lib/caller";
import { formatCappedNumber, formatCount, formatNumber } from "#app/_lib/format";
import { Emblem } from "#app/_parts/emblem.tsx";
import { PageOfPages } from "#app/_parts/list-controls.tsx";
import { Badge, Status, VerifiedBadge } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { Input } from "#app/_ui/field.tsx";
import { pathWith } from "#app/_ui/path-with";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import type { ListedApplication } from "#server/oauth/clients/own-applications";

/** Longer lists get a search. */
const fewApplications = 10;

type Props = { q: string; sort: string | undefined; page: number };

export async function ApplicationsTable({ q, sort = "", page: asked }: Props) {
  const { rows, count, page, pages } = await (await caller()).applications.list({
    q,
    sort,
    page: asked,
  });
  const bounded = rows.some(({ figures: { users, tokens } }) => users.more || tokens.more);
  const address = (to: number) => pathWith("/developers", { q, sort, page: String(to) });
  return (
    <Card
      flush
      footer={
        (pages > 1 || bounded) && (
          <>
            {pages > 1 && <span className="tabular">{formatCount(count, "application")}</span>}
            {bounded && <span>A plus sign means at least that many.</span>}
            <PageOfPages address={address} page={page} pages={pages} />
          </>
        )
      }
    >
      {(q || count > fewApplications) && (
        <form
          method="get"
          action="/developers"
          className="flex gap-2 border-b border-line p-4 sm:px-5"
        >
          <Input
            name="q"
            aria-label="Search by name or client ID"
            placeholder="Search by name or client ID"
            defaultValue={q}
            maxLength={100}
            autoComplete="off"
          />
          <Button type="submit">Search</Button>
        </form>
      )}
      <DataTable
        caption="Applications"
        dense
        rows={rows}
        rowKey={(application) => application.clientId}
        order={{ typed: sort, page: "/developers", query: { q } }}
        empty={
          q ? (
            <EmptyState
              icon={<Boxes />}
              title="No application matches"
              action={<LinkButton href="/developers">Show all</LinkButton>}
            />
          ) : (
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
          )
        }
        columns={[
          {
            key: "name",
            header: "Application",
            primary: true,
            sortBy: ({ name }) => name,
            cell: ({ name, kind, verified, role, ...application }) => (
              <span className="flex min-w-0 items-center gap-2.5">
                <Emblem of={application} size="sm" />
                <TextLink
                  href={`/developers/apps/${application.clientId}`}
                  className="min-w-0 font-medium wrap-anywhere"
                >
                  {name}
                </TextLink>
                {kind === "public" && <Badge>Public</Badge>}
                {role !== "owner" && <Badge>You are {role}</Badge>}
                {verified && <VerifiedBadge />}
              </span>
            ),
          },
          {
            header: "Health",
            unlabelled: true,
            nowrap: true,
            cell: (application) => <ApplicationHealth application={application} />,
          },
          {
            header: "Players",
            numeric: true,
            cell: ({ figures }) => formatCappedNumber(figures.users),
          },
          {
            header: "Live tokens",
            numeric: true,
            cell: ({ figures }) => formatCappedNumber(figures.tokens),
          },
          {
            key: "calls",
            header: "Calls",
            numeric: true,
            sortBy: ({ figures }) => figures.calls,
            cell: ({ figures }) => formatNumber(figures.calls),
          },
          {
            key: "errors",
            header: "Errors",
            numeric: true,
            sortBy: ({ figures }) => figures.errors,
            cell: ({ figures }) => formatNumber(figures.errors),
          },
          {
            key: "since",
            header: "Registered",
            sortBy: ({ createdAt }) => createdAt,
            at: ({ createdAt }) => createdAt,
          },
        ]}
      />
    </Card>
  );
}

/** Share of failed calls that needs attention, from `fewestCalls` on. */
const tooManyErrors = 0.05;
const fewestCalls = 20;

export const hasManyErrors = ({ calls, errors }: { calls: number; errors: number }): boolean =>
  calls >= fewestCalls && errors / calls > tooManyErrors;

export function ApplicationHealth({ application }: { application: ListedApplication }) {
  const { suspended, openedAt, figures } = application;
  if (suspended) return <Status tone="bad">Suspended</Status>;
  if (hasManyErrors(figures)) return <Status tone="warn">Many errors</Status>;
  if (!openedAt) return <Status tone="neutral">In test</Status>;
  if (figures.calls === 0)
    return <Status tone="neutral">{figures.users.count === 0 ? "Not used yet" : "Quiet"}</Status>;
  return <Status tone="good">Healthy</Status>;
}
