import { Sigma } from "lucide-react";
import type { Metadata } from "next";
import { portalContext } from "#app/_lib/caller";
import { gameName } from "#app/_lib/settings";
import { Card } from "#app/_ui/card.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { showModelCard } from "#server/stats/estimates/estimate-stats";
import { DocPage } from "../_parts/doc-page";
import { DocSection } from "../_parts/doc-section";
import { guides } from "../_parts/guides";
import { WithCode } from "../_parts/with-code";
import { ModelFacts } from "./_parts/model-facts";

export const metadata: Metadata = { title: guides["/docs/estimates"].title };

/** What an estimate is made of, and how far it can be trusted. */
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
          Ask for it with <TextLink href="/docs/api/get-user-stats-estimate">Get User Stats Estimate</TextLink>. Where
          fights told a score already,{" "}
          <TextLink href="/docs/api/get-user-historical-stats">Get User Historical Stats</TextLink> returns it; it is
          more accurate than an estimate.
        </p>
      </DocSection>
      <DocSection id="sources" title="Where it comes from">
        <ul className="grid list-disc gap-2 pl-5 text-ink-soft">
          <li>
            It uses the player's public counters, such as drugs taken, damage done and time played, and their level and
            age in {gameName()}. It does not know who the player is.
          </li>
          <li>It was trained on scores from fights that everyone may see.</li>
          <li>
            It was never trained on battle stats read with a player's own key, on imports, or on a faction's private
            scores.
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
              There are not enough fights to train on yet. Training is tried again every hour. Until then estimates
              answer <TextLink href="/docs/errors/1605">1605 StatsNotAvailable</TextLink>.
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
