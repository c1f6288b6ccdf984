import { Sigma } from "lucide-react";
import type { Metadata } from "next";
import { portalContext } from "#app/_lib/caller";
import { Card } from "#app/_ui/card.tsx";
import { EmptyState } from "#app/_ui/empty-state.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { showModelCard } from "#server/stats/estimates/estimate-stats";
import { DocSection } from "../_parts/doc-section";
import { WithCode } from "../_parts/with-code";
import { ModelFacts } from "./_parts/model-facts";

export const metadata: Metadata = { title: "Stat estimates" };

/** What an estimate is made of, and how far it can be trusted. */
export default async function Estimates() {
  const card = await showModelCard((await portalContext()).context);
  return (
    <div className="grid max-w-180 gap-10">
      <PageHeader
        title="Stat estimates"
        lead="Battle stats are secret in the game. An estimate says what a model expects of a player, from what everybody may see of them."
      />
      <DocSection id="score" title="What it says">
        <Prose text="The score is the sum of the square roots of the four battle stats. Fights depend on it, and it hides how a player's stats are spread. `min_bs` and `max_bs` are the sums of the stats that go with the score: the first where all four are equal, the second for a build as lopsided as builds are in practice. They are not the edges of the estimate's error." />
        <p className="text-ink-soft">
          Ask for it with <TextLink href="/docs/api/get-user-stats-estimate">Get User Stats Estimate</TextLink>. Where
          fights told a score already,{" "}
          <TextLink href="/docs/api/get-user-historical-stats">Get User Historical Stats</TextLink> has it; it is nearer
          to the truth than any estimate.
        </p>
      </DocSection>
      <DocSection id="sources" title="What it rests on">
        <ul className="grid list-disc gap-2 pl-5 text-ink-soft">
          <li>
            It reads public counters of the player, such as drugs taken, damage done and time played, and their level
            and age in the game. It does not know who the player is.
          </li>
          <li>It learned from scores that fights told and that everybody may see.</li>
          <li>
            It never learned from battle stats that a player's own key told, from imports, or from fights that one
            faction keeps for itself.
          </li>
        </ul>
        <Prose text="An estimate holds for a week after the counters were read; `expiration` says until when. Where they could not be read anew, the older estimate is given, and its expiration lies in the past. With `service_key:usage` the counters of a player are read at the call." />
      </DocSection>
      <DocSection id="model" title="The model in force">
        {card ? (
          <ModelFacts card={card} />
        ) : (
          <Card flush>
            <EmptyState icon={<Sigma />} title="There is no model yet">
              Too few fights are known to learn from. It is tried again each hour. Until then estimates answer with{" "}
              <TextLink href="/docs/errors/1605">1605 StatsNotAvailable</TextLink>.
            </EmptyState>
          </Card>
        )}
      </DocSection>
    </div>
  );
}

const Prose = ({ text }: { text: string }) => (
  <p className="text-ink-soft">
    <WithCode text={text} />
  </p>
);
