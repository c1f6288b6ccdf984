import { Clock, ShieldCheck } from "lucide-react";
import { lazy, Suspense } from "react";
import { formatCompact, formatTwoDecimals } from "#app/_lib/format";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { Badge, Status } from "#app/_ui/badge.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { Countdown } from "#app/_ui/countdown.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { Board, BoardHits, HitToAnswer } from "#server/faction/show-board";
import { stateTones, stateWords } from "./describe-member";

/** Loaded after the page, because alerts need script anyway. */
const HitAlerts = lazy(async () => ({ default: (await import("./hit-alerts")).HitAlerts }));

type Props = Pick<Board, "reading"> &
  Pick<BoardHits, "hits"> & {
    now: number;
    /** The instant of `reading`. */
    readFrom: Date;
  };

/** Hits are read every 30 seconds, so the page warns after this long without a reading. */
const lateMs = 120_000;

export function HitsCard({ hits, reading, now, readFrom }: Props) {
  return (
    <Card
      title="Retaliations"
      description="Each is open for five minutes."
      actions={hits.length > 0 && <Badge tone="warn">{hits.length}</Badge>}
      footer={
        <Suspense>
          <HitAlerts hits={hits} />
        </Suspense>
      }
      flush
    >
      {hits.length === 0 ? (
        <NoHits reading={reading} readFrom={readFrom} />
      ) : (
        <ul className="divide-y divide-line">
          {hits.map((hit) => (
            <li
              key={hit.code}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5"
            >
              <div className="min-w-0 flex-1 basis-56">
                <p>
                  <PlayerLink playerId={hit.attackerId} name={hit.attackerName} /> hit{" "}
                  <span className="font-medium">{hit.defenderName}</span>
                </p>
                <p className="text-sm text-ink-faint">
                  <Time at={hit.attackEnded} />
                </p>
                {hit.attacker && <Attacker attacker={hit.attacker} />}
              </div>
              <span className="sm:w-14 sm:text-right">
                <Countdown key={now} until={hit.until.getTime()} now={now} over="Too late" />
              </span>
              {hit.attackUrl && (
                <LinkButton href={hit.attackUrl} size="sm">
                  Attack
                  <span className="sr-only"> {hit.attackerName}</span>
                </LinkButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** "Level 61 · 1.2M to 1.7M total stats · fair fight 2.41 · In hospital, seen 2 minutes ago" */
function Attacker({ attacker }: { attacker: NonNullable<HitToAnswer["attacker"]> }) {
  const { level, total, fairFight, status, seenAt } = attacker;
  const facts = [
    level !== null && `Level ${level}`,
    total && `${formatCompact(total.min)} to ${formatCompact(total.max)} total stats`,
    fairFight !== null && `fair fight ${formatTwoDecimals(fairFight)}`,
  ].filter((fact) => fact !== false && fact !== null);
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm text-ink-soft">
      {facts.length > 0 && <span>{facts.join(" · ")}</span>}
      {status && seenAt && (
        <span>
          <Status tone={stateTones[status] ?? "neutral"}>{stateWords[status] ?? status}</Status>,
          seen <Time at={seenAt} />
        </span>
      )}
    </p>
  );
}

function NoHits({ reading, readFrom }: Pick<Props, "reading" | "readFrom">) {
  const hasNoKey = reading.unread.includes("attacks");
  if (reading.hitsAt === null || hasNoKey)
    return (
      <EmptyState icon={<Clock />} title={hasNoKey ? "Not being read" : "Not read yet"}>
        {hasNoKey
          ? "Retaliations appear here once a member adds a key that can read attacks."
          : "The first attacks are read within a minute."}
      </EmptyState>
    );
  const isLate = readFrom.getTime() - reading.hitsAt.getTime() > lateMs;
  return (
    <EmptyState icon={<ShieldCheck />} title="No open retaliations">
      {isLate && (
        <>
          Last read <Time at={reading.hitsAt} />.{" "}
        </>
      )}
      New ones appear here by themselves.
    </EmptyState>
  );
}
