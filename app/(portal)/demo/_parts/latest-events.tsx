"use client";

import { trpc } from "#app/_lib/trpc";
import { Card } from "#app/_ui/card.tsx";
import { Progress } from "#app/_ui/progress.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";

const askedEveryMs = 2_000;

export function LatestEvents() {
  const { data } = trpc.demo.show.useQuery(undefined, { refetchInterval: askedEveryMs });
  if (!data) return null;
  const { reading, events, keyNotice } = data;
  return (
    <div className="grid gap-6">
      {reading && (
        <Card
          title="Still reading the world"
          description="Stat estimates start once enough players have been read."
        >
          <p className="text-sm">
            {reading.players} of {reading.playersWanted} players read, {reading.holders} signed in
          </p>
          <Progress done={reading.players} of={reading.playersWanted} label="Players read" />
        </Card>
      )}
      <Card
        title="Events sent to applications"
        description="The newest events of Lanternwatch and the stock market, as webhooks and streams carry them."
        flush
      >
        <ul className="divide-y divide-line" aria-live="polite">
          {events.map(({ seq, type, at }) => (
            <li
              key={seq}
              className="flex items-baseline justify-between gap-3 px-4 py-2.5 text-sm sm:px-5"
            >
              <TextLink href={`/docs/events/${type}`} className="font-mono">
                {type}
              </TextLink>
              <Time at={at} />
            </li>
          ))}
          {events.length === 0 && (
            <li className="px-4 py-4 text-sm text-ink-soft sm:px-5">Nothing yet.</li>
          )}
        </ul>
      </Card>
      {keyNotice && (
        <Card id="key-notice" title="Edda_Drift's newest notice">
          <p className="text-sm" aria-live="polite">
            {keyNotice.text} <Time at={keyNotice.createdAt} className="text-ink-faint" />
          </p>
        </Card>
      )}
    </div>
  );
}
