"use client";

import { CircleCheckBig, Clock, Inbox, Unplug } from "lucide-react";
import { useEffect } from "react";
import { trpc } from "#app/_lib/trpc";
import { Alert } from "#app/_ui/alert.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { formatAmount } from "#server/faction/banking/vault-request";
import type { BoardVault, Board as BoardView, HeldUpCrime } from "#server/faction/show-board";
import { pollMs, useFactionChanges } from "./faction-changes";
import { HitsCard } from "./hits";

/** The page polls despite the stream, which does not report whether the game is still read. */
const steadyPollMs = 300_000;
/** The page polls this often until the first reading, which takes less than a minute. */
const firstMs = 5_000;

/** Shows "(2) Faction board" in the title, for a background tab. */
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

export function Board({ gameName, addKeyHref }: { gameName: string; addKeyHref: string }) {
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
            <LinkButton href={addKeyHref} size="sm">
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
      <HitsCard hits={hits} reading={reading} now={now.getTime()} readFrom={data.now} />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Crimes crimes={crimes} reading={reading} />
        <WaitingRequests vault={vault} />
      </div>
    </div>
  );
}

function Crimes({
  crimes,
  reading,
}: Pick<BoardView, "reading"> & { crimes: readonly HeldUpCrime[] }) {
  return (
    <Card
      title="Delayed OCs"
      description="Ready, but waiting for a member."
      actions={crimes.length > 0 && <Badge tone="warn">{crimes.length}</Badge>}
      flush
    >
      {crimes.length === 0 ? (
        <NoCrimes reading={reading} />
      ) : (
        <ul className="divide-y divide-line">
          {crimes.map(({ crimeId, name, since, holdUps }) => (
            <li key={crimeId} className="px-4 py-3 sm:px-5">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <h3 className="font-medium">
                  {name} <span className="tabular font-normal text-ink-faint">#{crimeId}</span>
                </h3>
                {since && (
                  <span className="text-sm text-ink-faint">
                    delayed <Time at={since} />
                  </span>
                )}
              </div>
              <ul className="mt-1 grid gap-0.5 text-sm">
                {holdUps.map(
                  ({ playerId, name: member, position, positionIndex, reason, seenAt }) => (
                    <li key={`${playerId} ${position} ${positionIndex}`}>
                      <span className="font-medium">{member}</span>{" "}
                      <span className="text-ink-soft">
                        ({position} {positionIndex}): {reason}, seen <Time at={seenAt} />
                      </span>
                    </li>
                  ),
                )}
                {holdUps.length === 0 && (
                  <li className="text-ink-soft">The member has left the faction.</li>
                )}
              </ul>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function NoCrimes({ reading }: Pick<BoardView, "reading">) {
  const hasNoKey = reading.unread.includes("crimes");
  if (reading.crimesAt === null || hasNoKey)
    return (
      <EmptyState icon={<Clock />} title={hasNoKey ? "Not being read" : "Not read yet"}>
        {hasNoKey
          ? "Delays appear here once a member adds a key that can read OCs."
          : "OCs are read within five minutes."}
      </EmptyState>
    );
  return (
    <EmptyState icon={<CircleCheckBig />} title="No delayed OCs">
      OCs are read every five minutes.
    </EmptyState>
  );
}

/** A banker sees all requests, others only their own. */
function WaitingRequests({ vault }: { vault: BoardVault }) {
  const { banker, waiting, count, pays } = vault;
  return (
    <Card
      title="Vault requests"
      description={
        banker ? "Waiting for a banker, the oldest first." : "Yours that wait for a banker."
      }
      actions={
        <LinkButton href="/faction/banking" size="sm">
          Open the vault
        </LinkButton>
      }
      footer={
        count > waiting.length && (
          <TextLink href="/faction/banking">
            {waiting.length} of {count}: show all
          </TextLink>
        )
      }
      flush
    >
      {waiting.length === 0 ? (
        <NoneWaiting vault={vault} />
      ) : (
        <ul className="divide-y divide-line">
          {waiting.map(
            ({ id, guid, requester, amount, currency, requestedAt, expiresAt, claim }) => (
              <li
                key={id}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3 sm:px-5"
              >
                <div className="min-w-0">
                  <p>
                    <span className="tabular font-medium">{formatAmount(amount, currency)}</span> to{" "}
                    {requester.name} <span className="text-ink-faint">#{id}</span>
                  </p>
                  <p className="text-sm text-ink-faint">
                    Requested <Time at={requestedAt} />
                    {expiresAt && (
                      <>
                        , expires <Time at={expiresAt} />
                      </>
                    )}
                  </p>
                </div>
                {claim ? (
                  <TextLink href={`/faction/banking/fulfill/${guid}`}>
                    {claim.by.name} is paying<span className="sr-only"> request #{id}</span>
                  </TextLink>
                ) : (
                  banker &&
                  pays.includes(currency) && (
                    <LinkButton href={`/faction/banking/fulfill/${guid}`} size="sm">
                      Pay<span className="sr-only"> request #{id}</span>
                    </LinkButton>
                  )
                )}
              </li>
            ),
          )}
        </ul>
      )}
    </Card>
  );
}

function NoneWaiting({ vault: { link, banker } }: { vault: BoardVault }) {
  if (link !== "ready")
    return (
      <EmptyState icon={<Unplug />} title="Requests are not set up">
        Your faction's <TextLink href="/faction/chat">chat server</TextLink> must be linked and have
        a channel for requests.
      </EmptyState>
    );
  return (
    <EmptyState icon={<Inbox />} title="No requests waiting">
      {banker
        ? "New requests of members appear here."
        : "What you request from the vault appears here until it is paid."}
    </EmptyState>
  );
}
