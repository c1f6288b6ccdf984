import { Users } from "lucide-react";
import { caller } from "#lib/caller";
import { adminTitle, requireAdmin } from "#lib/current-admin";
import { figure } from "#lib/figure";
import { readParam, type SearchParams } from "#lib/search-params";
import { Badge } from "#ui/badge";
import { Card } from "#ui/card";
import { DataTable } from "#ui/data-table";
import { EmptyState } from "#ui/empty-state";
import { PageHeader } from "#ui/page-header";
import { TextLink } from "#ui/text-link";
import { Time } from "#ui/time";
import { Pager } from "../_parts/pager";
import { readPage } from "../_parts/read-page";
import { SearchByState } from "../_parts/search-by-state";

export const generateMetadata = () => adminTitle("Accounts");

const states = [
  { value: "any", label: "Any" },
  { value: "banned", label: "Banned" },
] as const;
const action = "/admin/accounts";
/** Players who signed in here. Needs no script. */
export default async function Accounts({ searchParams }: { searchParams: SearchParams }) {
  await requireAdmin();
  const search = (await readParam(searchParams, "search"))?.slice(0, 100);
  const state = (await readParam(searchParams, "state")) === "banned" ? "banned" : "any";
  const page = await readPage(searchParams);
  const { rows, more, byName } = await (await caller()).admin.accounts({ search, state, page });
  return (
    <div className="grid gap-6">
      <PageHeader title="Accounts" lead={`Players who signed in here, ${byName ? "by name" : "newest first"}.`} />
      <SearchByState
        action={action}
        label="Beginning of the player's name, or number"
        states={states}
        search={search}
        state={state}
      />
      <Card flush>
        <DataTable
          caption="Accounts"
          rows={rows}
          rowKey={({ accountId }) => accountId}
          empty={
            <EmptyState icon={<Users />} title="No account fits">
              Search for the beginning of the name, or for the player's number in the game.
            </EmptyState>
          }
          columns={[
            {
              key: "player",
              header: "Player",
              primary: true,
              cell: ({ accountId, name, playerId, bannedAt }) => (
                <span className="flex flex-wrap items-center gap-2">
                  <TextLink href={`${action}/${accountId}`} plain className="font-medium hover:underline">
                    <bdi className="wrap-anywhere">{name}</bdi>{" "}
                    <span className="tabular font-normal text-ink-faint">[{playerId}]</span>
                  </TextLink>
                  {bannedAt && <Badge tone="bad">Banned</Badge>}
                </span>
              ),
            },
            {
              key: "apps",
              header: "Applications",
              numeric: true,
              cell: ({ applications }) => figure(applications),
            },
            { key: "consents", header: "Connected", numeric: true, cell: ({ consents }) => figure(consents) },
            { key: "sessions", header: "Sign-ins", numeric: true, cell: ({ sessions }) => figure(sessions) },
            {
              key: "last",
              header: "Last sign-in",
              nowrap: true,
              cell: ({ lastSignInAt }) => (lastSignInAt ? <Time at={lastSignInAt} /> : "Never"),
            },
            { key: "since", header: "Since", nowrap: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      </Card>
      <Pager
        action={action}
        query={{ search, state }}
        page={page}
        more={more}
        {...(byName && { before: "Back", after: "Next" })}
      />
    </div>
  );
}
