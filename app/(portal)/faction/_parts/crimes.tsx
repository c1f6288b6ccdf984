import { CircleCheckBig, Clock } from "lucide-react";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { Board, HeldUpCrime } from "#server/faction/show-board";

export function Crimes({
  crimes,
  reading,
}: Pick<Board, "reading"> & { crimes: readonly HeldUpCrime[] }) {
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

function NoCrimes({ reading }: Pick<Board, "reading">) {
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
