import { caller } from "#app/_lib/caller";
import { formatNumber } from "#app/_lib/format";
import { Card } from "#app/_ui/card.tsx";
import { ShareBar } from "#app/_ui/share-bar.tsx";
import { shareOf } from "#app/(portal)/developers/_parts/describe-calls";
import type { TrafficRange } from "#server/oauth/clients/traffic/traffic";
import { rangeWords } from "./traffic-plot";

const steps = [
  { step: "shown", label: "Saw the consent page", lost: "" },
  { step: "approved", label: "Approved", lost: "did not approve" },
  { step: "exchanged", label: "Code exchanged for tokens", lost: "got no tokens: see Failures" },
  { step: "called", label: "First call made", lost: "made no call" },
] as const;

type Props = { clientId: string; range: TrafficRange };

/** Hidden if no player was asked. */
export async function Funnel({ clientId, range }: Props) {
  const funnel = await (await caller()).applications.funnel({ clientId, range });
  if (funnel.shown === 0) return null;
  return (
    <Card
      title="From consent page to first call"
      description={`Players in the last ${rangeWords[range]}, each counted once.`}
    >
      <ol className="grid gap-4">
        {steps.map(({ step, label, lost }, index) => {
          const before = funnel[steps[index - 1]?.step ?? "shown"];
          const missing = before - funnel[step];
          return (
            <li key={step} className="grid gap-1.5">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
                <span>{label}</span>
                <span className="tabular-nums">
                  {formatNumber(funnel[step])}{" "}
                  <span className="text-ink-faint">({shareOf(funnel[step], funnel.shown)})</span>
                </span>
              </div>
              <ShareBar
                share={funnel[step] / funnel.shown}
                fill="fill-accent-text"
                className="block h-2 w-full"
              />
              {missing > 0 && (
                <p className="text-xs text-ink-soft">
                  {formatNumber(missing)} {lost}
                </p>
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
