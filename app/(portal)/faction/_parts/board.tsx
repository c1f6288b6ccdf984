"use client";

import { useEffect } from "react";
import { trpc } from "#app/_lib/trpc";
import { Alert } from "#app/_ui/alert.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import type { Board as BoardView } from "#server/faction/show-board";
import { Crimes } from "./crimes";
import { pollMs, useFactionChanges } from "./faction-changes";
import { Hits } from "./hits";
import { WaitingRequests } from "./waiting-requests";

/** The stream does not report whether the game is read at all. */
const steadyPollMs = 300_000;
/** Until the first reading, which takes less than a minute. */
const firstMs = 5_000;

/** "(2) Faction board", for a background tab. */
function useTitleCount(count: number) {
  useEffect(() => {
    const plain = document.title.replace(/^\(\d+\) /, "");
    document.title = count > 0 ? `(${count}) ${plain}` : plain;
    return () => {
      document.title = document.title.replace(/^\(\d+\) /, "");
    };
  }, [count]);
}

const partWords = { attacks: "Attacks", crimes: "OCs" } as const;

const isFirst = ({ unread, hitsAt }: BoardView["reading"]): boolean =>
  hitsAt === null && !unread.includes("attacks");

type Props = { gameName: string; addKeyHref: string };

/** A part is refetched when the server announces its change. */
export function Board({ gameName, addKeyHref }: Props) {
  const { factionBoard } = trpc.useUtils();
  const isConnected = useFactionChanges((parts) => {
    if (parts === "all") void factionBoard.invalidate();
    else for (const part of parts) void factionBoard[part].invalidate();
  });
  const refetchInterval = isConnected ? false : pollMs;
  const { data } = trpc.factionBoard.show.useQuery(undefined, {
    refetchInterval: ({ state }) =>
      state.data && isFirst(state.data.reading) ? firstMs : steadyPollMs,
  });
  const { data: open } = trpc.factionBoard.hits.useQuery(undefined, { refetchInterval });
  const { data: crimes } = trpc.factionBoard.crimes.useQuery(undefined, { refetchInterval });
  const { data: vault } = trpc.factionBoard.vault.useQuery(undefined, { refetchInterval });
  useTitleCount(open?.hits.length ?? 0);
  if (!data || !open || !crimes || !vault) return null;
  const { factionName, reading, asksForSharing } = data;
  const { hits, now } = open;
  return (
    <div className="grid gap-6">
      {reading.unread.length > 0 && (
        <Alert
          tone="warn"
          title={`${reading.unread.map((part) => partWords[part]).join(" and ")} of ${factionName} are not being read`}
          actions={
            <LinkButton href={addKeyHref} document size="sm">
              Add a key
            </LinkButton>
          }
        >
          {reading.mayRead
            ? `No member has added a ${gameName} API key that can read them. Your position allows it: add one. The next page links to a key that reads exactly this.`
            : `No member has added a ${gameName} API key that can read them. Ask a member whose position has Faction API Access to add one here.`}
        </Alert>
      )}
      {asksForSharing && (
        <Alert
          title="Choose who sees the scores from your fights"
          actions={
            <LinkButton href="/faction/stats" size="sm">
              Choose
            </LinkButton>
          }
        >
          Each fight shows how strong the opponent is. Until you choose, only members of{" "}
          {factionName} see these scores.
        </Alert>
      )}
      <p role="status" className="sr-only">
        {hits.length === 1 ? "1 open retaliation" : `${hits.length} open retaliations`}
      </p>
      <Hits hits={hits} reading={reading} now={now.getTime()} readFrom={data.now} />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Crimes crimes={crimes} reading={reading} />
        <WaitingRequests vault={vault} />
      </div>
    </div>
  );
}
