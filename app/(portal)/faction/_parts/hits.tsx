import { Clock, ShieldCheck } from "lucide-react";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Countdown } from "#app/_ui/countdown.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { Board, BoardHits } from "#server/faction/show-board";

type Props = Pick<Board, "reading"> &
  Pick<BoardHits, "hits"> & {
    now: number;
    /** The instant of `reading`. */
    readFrom: Date;
    gameName: string;
  };

/** Hits are read every 30 seconds; after this long the page warns. */
const lateMs = 120_000;

export function Hits({ hits, reading, now, readFrom, gameName }: Props) {
  return (
    <Card
      title="Retaliations"
      description="Each is open for five minutes."
      actions={hits.length > 0 && <Badge tone="warn">{hits.length}</Badge>}
      flush
    >
      {hits.length === 0 ? (
        <NoHits reading={reading} readFrom={readFrom} />
      ) : (
        <ul className="divide-y divide-line">
          {hits.map(
            ({ code, attackerName, attackerId, defenderName, attackEnded, until, attackerUrl }) => (
              <li
                key={code}
                className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5"
              >
                <div className="min-w-0 flex-1 basis-56">
                  <p>
                    <PlayerLink playerId={attackerId} name={attackerName} /> hit{" "}
                    <span className="font-medium">{defenderName}</span>
                  </p>
                  <p className="text-sm text-ink-faint">
                    <Time at={attackEnded} />
                  </p>
                </div>
                <span className="sm:w-14 sm:text-right">
                  <Countdown key={now} until={until.getTime()} now={now} over="Too late" />
                </span>
                {attackerUrl && (
                  <LinkButton href={attackerUrl} size="sm">
                    Open in {gameName}
                    <span className="sr-only">: {attackerName}</span>
                  </LinkButton>
                )}
              </li>
            ),
          )}
        </ul>
      )}
    </Card>
  );
}

function NoHits({ reading, readFrom }: Pick<Props, "reading" | "readFrom">) {
  if (reading.state !== "reading")
    return (
      <EmptyState
        icon={<Clock />}
        title={reading.state === "first" ? "Not read yet" : "Not being read"}
      >
        {reading.state === "first"
          ? "The first attacks are read within a minute."
          : "Retaliations appear here once a member adds a key that can read attacks."}
      </EmptyState>
    );
  const isLate = reading.hitsAt !== null && readFrom.getTime() - reading.hitsAt.getTime() > lateMs;
  return (
    <EmptyState icon={<ShieldCheck />} title="No open retaliations">
      {isLate && reading.hitsAt && (
        <>
          Last read <Time at={reading.hitsAt} />.{" "}
        </>
      )}
      New ones appear here by themselves.
    </EmptyState>
  );
}
