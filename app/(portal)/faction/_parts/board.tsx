"use client";

import { trpc } from "#app/_lib/trpc";
import { Alert } from "#app/_ui/alert.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Crimes } from "./crimes";
import { Hits } from "./hits";
import { Waiting } from "./waiting";

/** Hits are read from the game every 30 seconds; a board that is asked for more often shows nothing sooner. */
const askedEveryMs = 10_000;

type Props = { gameName: string; addKeyHref: string };

/** What waits in the faction. Asked for again and again while the page is in sight. */
export function Board({ gameName, addKeyHref }: Props) {
  const { data } = trpc.factionBoard.show.useQuery(undefined, { refetchInterval: askedEveryMs });
  if (!data) return null;
  const { factionName, reading, asksForSharing, hits, crimes, vault, now } = data;
  return (
    <div className="grid gap-6">
      {reading.state === "no-key" && (
        <Alert
          tone="warn"
          title={`Hits and crimes of ${factionName} are not being read`}
          actions={
            <LinkButton href={addKeyHref} document size="sm">
              Add a key
            </LinkButton>
          }
        >
          {reading.mayRead
            ? `No member has added a ${gameName} API key that can read them. Your position allows it: add a key of Limited level or higher.`
            : `No member has added a ${gameName} API key that can read them. Ask a member whose position has Faction API Access to sign in here with a key of Limited level or higher.`}
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
          Each fight shows how strong the opponent is. Until you choose, only members of {factionName} see these scores.
        </Alert>
      )}
      <p role="status" className="sr-only">
        {hits.length === 1 ? "1 hit to answer" : `${hits.length} hits to answer`}
      </p>
      <Hits hits={hits} reading={reading} now={now.getTime()} gameName={gameName} />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Crimes crimes={crimes} reading={reading} />
        <Waiting vault={vault} />
      </div>
    </div>
  );
}
