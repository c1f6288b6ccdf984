"use client";

import { Users } from "lucide-react";
import { trpc } from "#app/_lib/trpc";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { EmptyState } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { Time } from "#app/_ui/time.tsx";
import { type RawMemberFilter, stateTones, stateWords } from "./describe-member";

/** The server lists members every five minutes. */
const askedEveryMs = 300_000;

export function MembersTable({
  filter,
  sort,
}: {
  filter: RawMemberFilter;
  sort: string | undefined;
}) {
  const { data } = trpc.factionBoard.members.useQuery(filter, { refetchInterval: askedEveryMs });
  if (!data) return null;
  const { members, of, listedAt } = data;
  return (
    <>
      <p role="status" className="border-t border-line px-4 py-2 text-sm text-ink-soft sm:px-5">
        {members.length} of {of} members, {sort === undefined && "last active first, "}
        {listedAt ? (
          <>
            listed <Time at={listedAt} />
          </>
        ) : (
          "not listed completely yet"
        )}
      </p>
      <div className="border-t border-line">
        <DataTable
          caption="Members"
          dense
          rows={members}
          order={{ typed: sort, page: "/faction", query: filter, anchor: "members" }}
          rowKey={({ playerId }) => playerId}
          empty={
            <EmptyState icon={<Users />} title="No member fits">
              Choose other filters to see more members.
            </EmptyState>
          }
          columns={[
            {
              key: "name",
              header: "Member",
              primary: true,
              sortBy: ({ name }) => name,
              cell: (player) => <PlayerLink {...player} />,
            },
            {
              key: "state",
              header: "Status",
              unlabelled: true,
              sortBy: ({ state }) => state,
              nowrap: true,
              cell: ({ state }) =>
                state ? (
                  <Status tone={stateTones[state] ?? "neutral"}>
                    {stateWords[state] ?? state}
                  </Status>
                ) : (
                  "–"
                ),
            },
            {
              key: "level",
              header: "Level",
              sortBy: ({ level }) => level,
              numeric: true,
              cell: ({ level }) => level ?? "–",
            },
            {
              key: "position",
              header: "Position",
              unlabelled: true,
              sortBy: ({ position }) => position,
              cell: ({ position }) => position ?? "–",
            },
            {
              key: "action",
              header: "Last action",
              unlabelled: true,
              at: ({ lastAction }) => lastAction,
              never: "–",
            },
          ]}
        />
      </div>
    </>
  );
}
