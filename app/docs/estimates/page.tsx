import { Sigma } from "lucide-react";
import type { Metadata } from "next";
import { portalContext } from "#app/_lib/caller";
import { formatNumber, formatShare } from "#app/_lib/format";
import { gameName } from "#app/_lib/settings";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { showModelCard } from "#server/stats/estimates/estimate-stats";
import type { ModelCard } from "#server/stats/estimates/model/model-card";
import { DocPage, DocSection } from "../_parts/doc-page";
import { guides } from "../_parts/guides";
import { WithCode } from "../_parts/with-code";

export const metadata: Metadata = { title: guides["/docs/estimates"].title };

export default async function Estimates() {
  const card = await showModelCard((await portalContext()).context);
  return (
    <DocPage
      {...guides["/docs/estimates"]}
      lead={`Battle stats are secret in ${gameName()}. An estimate is what a model expects from a player's public data.`}
    >
      <DocSection id="score" title="What you get">
        <Prose text="The score is the sum of the square roots of the four battle stats. Fights depend on it, and it does not show the individual stats. `min_bs` and `max_bs` are the total stats that match the score: the first if all four are equal, the second for a build as lopsided as builds are in practice. They are not error bounds." />
        <p className="text-ink-soft">
          Ask for it with{" "}
          <TextLink href="/docs/api/get-user-stats-estimate">Get User Stats Estimate</TextLink>.
          Where fights told a score already,{" "}
          <TextLink href="/docs/api/get-user-historical-stats">Get User Historical Stats</TextLink>{" "}
          returns it; it is more accurate than an estimate.
        </p>
      </DocSection>
      <DocSection id="sources" title="Where it comes from">
        <ul className="grid list-disc gap-2 pl-5 text-ink-soft">
          <li>
            It uses the player's public counters, such as drugs taken, damage done and time played,
            and their level and age in {gameName()}. It does not know who the player is.
          </li>
          <li>It was trained on scores from fights that everyone may see.</li>
          <li>
            It was never trained on battle stats read with a player's own key, on imports, or on a
            faction's private scores.
          </li>
        </ul>
        <Prose text="An estimate is valid for a week after the counters were read; `expiration` says until when. If they could not be read again, you get the older estimate, with an expiration in the past. With `service_key:usage` the counters are read during the call." />
      </DocSection>
      <DocSection id="model" title="The current model">
        {card ? (
          <ModelFacts card={card} />
        ) : (
          <Card flush>
            <EmptyState icon={<Sigma />} title="There is no model yet">
              There are not enough fights to train on yet. Training is tried again every hour. Until
              then estimates answer{" "}
              <TextLink href="/docs/errors/1605">1605 StatsNotAvailable</TextLink>.
            </EmptyState>
          </Card>
        )}
      </DocSection>
    </DocPage>
  );
}

const Prose = ({ text }: { text: string }) => (
  <p className="text-ink-soft">
    <WithCode text={text} />
  </p>
);

const number = (value: number) => formatNumber(Math.round(value));

/** Training data, and errors on held-out players. */
function ModelFacts({ card }: { card: ModelCard }) {
  const { metrics, baseline, rows, trainedAt, usualRange } = card;
  const judged = [
    { by: "The model", of: metrics },
    { by: "Average for the player's level", of: baseline },
  ];
  const [low, high] = usualRange;
  return (
    <>
      <StatRow
        items={[
          { label: "Trained", value: <Time at={new Date(trainedAt)} /> },
          { label: "Players trained on", value: number(rows.train) },
          {
            label: "Players tested on",
            value: number(metrics.count),
            hint: "not used in training",
          },
          {
            label: "Usual error",
            value: formatShare(metrics.median),
            hint: "of the score; half of the estimates are closer",
          },
        ]}
      />
      <Card flush>
        <DataTable
          caption="Accuracy"
          rows={judged}
          rowKey={({ by }) => by}
          columns={[
            { key: "by", header: "Estimated by", primary: true, cell: ({ by }) => by },
            {
              key: "median",
              header: "Median error",
              numeric: true,
              cell: ({ of }) => formatShare(of.median),
            },
            {
              key: "p90",
              header: "Nine of ten below",
              numeric: true,
              cell: ({ of }) => formatShare(of.p90),
            },
            {
              key: "score",
              header: "Score within 2×",
              numeric: true,
              cell: ({ of }) => formatShare(of.within2),
            },
            {
              key: "total",
              header: "Sum within 2×",
              numeric: true,
              cell: ({ of }) => formatShare(of.within2Total),
            },
          ]}
        />
      </Card>
      <p className="text-ink-soft">
        For eight of ten players the true score is between {low.toFixed(2)} and {high.toFixed(2)}{" "}
        times the estimate. The true scores come from fights and are themselves rounded.
      </p>
      {card.byScore.length > 1 && <ErrorsByScore card={card} />}
    </>
  );
}

function ErrorsByScore({ card }: { card: ModelCard }) {
  return (
    <Card flush>
      <DataTable
        caption="Accuracy by strength"
        rows={card.byScore}
        rowKey={({ from }) => String(from)}
        columns={[
          { key: "from", header: "Score range", primary: true, cell: ({ from }) => number(from) },
          {
            key: "count",
            header: "Players",
            numeric: true,
            cell: ({ metrics }) => number(metrics.count),
          },
          {
            key: "median",
            header: "Median error",
            numeric: true,
            cell: ({ metrics }) => formatShare(metrics.median),
          },
          {
            key: "score",
            header: "Score within 2×",
            numeric: true,
            cell: ({ metrics }) => formatShare(metrics.within2),
          },
        ]}
      />
    </Card>
  );
}
