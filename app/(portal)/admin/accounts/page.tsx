import { Users } from "lucide-react";
import { adminCaller, adminMetadata } from "#app/_lib/current-user";
import { formatNumber } from "#app/_lib/format";
import type { PageProps } from "#app/_lib/search-params";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { EmptyState } from "#app/_ui/card.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { readListQuery, SearchedList } from "../_parts/searched-list";

export const generateMetadata = () => adminMetadata("Accounts");

const states = [
  { value: "any", label: "Any" },
  { value: "banned", label: "Banned" },
] as const;
const action = "/admin/accounts";
export default async function Accounts({ searchParams }: PageProps) {
  const asked = await readListQuery(searchParams, states);
  const { rows, more, byName } = await (await adminCaller()).admin.accounts(asked);
  return (
    <SearchedList
      title="Accounts"
      lead={`Players who signed in here, ${byName ? "by name" : "newest first"}.`}
      label="Start of the player's name, or player ID"
      ways={byName ? { before: "Back", after: "Next" } : undefined}
      action={action}
      states={states}
      asked={asked}
      more={more}
      rows={rows}
      rowKey={({ accountId }) => accountId}
      empty={
        <EmptyState icon={<Users />} title="No matching account">
          Search for the start of a name, or for a player ID.
        </EmptyState>
      }
      columns={[
        {
          header: "Player",
          primary: true,
          cell: ({ accountId, name, playerId, bannedAt }) => (
            <span className="flex flex-wrap items-center gap-2">
              <TextLink
                href={`${action}/${accountId}`}
                plain
                className="font-medium hover:underline"
              >
                <PlayerName name={name} playerId={playerId} />
              </TextLink>
              {bannedAt && <Badge tone="bad">Banned</Badge>}
            </span>
          ),
        },
        {
          header: "Applications",
          numeric: true,
          cell: ({ applications }) => formatNumber(applications),
        },
        { header: "Connected", numeric: true, cell: ({ consents }) => formatNumber(consents) },
        { header: "Sign-ins", numeric: true, cell: ({ sessions }) => formatNumber(sessions) },
        { header: "Last sign-in", at: ({ lastSignInAt }) => lastSignInAt },
        { header: "Since", at: ({ createdAt }) => createdAt },
      ]}
    />
  );
}
