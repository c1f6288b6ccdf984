import { ChartSpline, Swords, UserRoundSearch } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { playerCaller } from "#app/_lib/current-user";
import { formatCompact, formatNumber } from "#app/_lib/format";
import type { PageProps, SearchParams } from "#app/_lib/search-params";
import { gameName, pageSettings } from "#app/_lib/settings";
import { signInPath } from "#app/_lib/sign-in-path";
import { timePlot } from "#app/_lib/time-plot";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { DemoProgress } from "#app/_parts/demo-progress.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { Plot, ShowAsTable } from "#app/_ui/plot.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { UnknownKey, UnknownUser } from "#server/failures";
import { profileUrl } from "#server/game/site-urls";
import type { RouterOutputs } from "#server/portal/router";
import { PlayerId } from "#server/rest/shapes";
import { refusalOf } from "#server/trpc/refusal";

type Shown = RouterOutputs["players"]["show"];

/** Cached, because page and title read the player. Without `shown` the player is unknown. */
const readPlayer = cache(async (asked: string) => {
  const { data: playerId } = PlayerId.safeParse(
    /^[1-9]\d{0,9}$/.test(asked) ? Number(asked) : undefined,
  );
  if (playerId === undefined) notFound();
  const shown = await (await playerCaller()).players.show({ playerId }).catch((thrown: unknown) => {
    if (refusalOf(thrown).status === 404) return undefined;
    throw thrown;
  });
  return { playerId, shown };
});

export async function generateMetadata({ params }: PageProps<"playerId">): Promise<Metadata> {
  const { playerId, shown } = await readPlayer((await params).playerId);
  return { title: shown ? `${shown.player.name} [${playerId}]` : `Player ${playerId}` };
}

/** Opening the page never calls the game; only the button for an unknown player does. */
export default async function PlayerPage({ params, searchParams }: PageProps<"playerId">) {
  const { playerId, shown } = await readPlayer((await params).playerId);
  if (!shown) return <UnknownPlayer playerId={playerId} searchParams={searchParams} />;
  const { player, estimate, scores } = shown;
  const { name, level, faction, lastAction, lastRefresh } = player;
  return (
    <div className="grid gap-6">
      <PageHeader
        title={<PlayerName name={name} playerId={playerId} />}
        trail={[{ label: "Players", href: "/players" }]}
        media={<Avatar name={name} size="lg" />}
        lead={
          faction ? `Member of ${faction.name || `faction ${faction.factionId}`}` : "In no faction"
        }
        actions={<ProfileLink playerId={playerId} />}
      />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title="Profile">
          <KeyValueList
            items={[
              { label: "Level", value: level ?? "Not known" },
              { label: "Last action", at: lastAction, never: "Not known" },
              {
                label: "Profile",
                at: lastRefresh,
                never: "Not fetched yet",
              },
            ]}
          />
        </Card>
        <EstimateCard playerId={playerId} estimate={estimate} />
      </div>
      <Scores scores={scores} />
    </div>
  );
}

function ProfileLink({ playerId }: { playerId: number }) {
  const href = profileUrl(pageSettings(), playerId);
  return href && <LinkButton href={href}>Open in {gameName()}</LinkButton>;
}

type UnknownProps = { playerId: number; searchParams: SearchParams };

function UnknownPlayer({ playerId, searchParams }: UnknownProps) {
  const wrong = {
    [UnknownUser.code]: `${gameName()} has no player with this number.`,
    [UnknownKey.code]: "You have no working key that reads players.",
  };
  return (
    <div className="grid gap-6">
      <PageHeader
        title={`Player ${playerId}`}
        trail={[{ label: "Players", href: "/players" }]}
        actions={<ProfileLink playerId={playerId} />}
      />
      <FormNotice
        searchParams={searchParams}
        done={{}}
        wrong={wrong}
        refused="The player was not read"
        remedies={{
          [UnknownKey.code]: (
            <LinkButton
              href={signInPath({ next: `/players/${playerId}`, for: "key" })}
              document
              size="sm"
            >
              Add a key
            </LinkButton>
          ),
        }}
      />
      <Card flush>
        <EmptyState
          icon={<UserRoundSearch aria-hidden="true" />}
          title="Nothing is known about this player yet"
          action={
            <ActButton action={`/players/${playerId}/read`} variant="primary" size="md">
              Read from {gameName()}
            </ActButton>
          }
        >
          Adjutant knows members of factions that use it, and players that an application has looked
          up.
        </EmptyState>
      </Card>
    </div>
  );
}

const wholeScore = (score: number) => formatNumber(Math.round(score));

function EstimateCard({ playerId, estimate }: { playerId: number; estimate: Shown["estimate"] }) {
  if (!estimate)
    return (
      <div className="grid gap-3">
        <DemoProgress page={`/players/${playerId}`} />
        <Card title="Estimate" flush>
          <EmptyState icon={<ChartSpline />} title="No estimate yet">
            Adjutant reads a player's public counters once a member of a faction that uses it has
            fought them. Estimates start when <TextLink href="/docs/estimates">the model</TextLink>{" "}
            has learned from enough fights.
          </EmptyState>
        </Card>
      </div>
    );
  const { score, min, max, since, expiresAt } = estimate;
  return (
    <Card
      title="Estimate"
      description={
        <>
          From public counters alone. <TextLink href="/docs/estimates">How good is it?</TextLink>
        </>
      }
      actions={expiresAt < new Date() && <Badge tone="warn">Older than a week</Badge>}
    >
      <KeyValueList
        items={[
          {
            label: "Stat score",
            value: <span className="tabular">{wholeScore(score)}</span>,
          },
          {
            label: "Total battle stats",
            value: (
              <span className="tabular">
                {formatNumber(min)} to {formatNumber(max)}
              </span>
            ),
          },
          { label: "Data from", at: since },
        ]}
      />
    </Card>
  );
}

function Scores({ scores }: Pick<Shown, "scores">) {
  if (scores.length === 0)
    return (
      <Card title="Scores over time" flush>
        <EmptyState icon={<Swords />} title="No scores visible to you">
          Scores come from fights whose faction shares them, and from your own faction's fights and{" "}
          <TextLink href="/faction/stats">imports</TextLink>.
        </EmptyState>
      </Card>
    );
  const inTime = scores.map(({ at, score }) => ({ at, value: score })).reverse();
  return (
    <Card
      title="Scores over time"
      description="A score is the sum of the square roots of the four battle stats."
      flush
    >
      {scores.length > 1 && (
        <div className="px-4 py-4 sm:px-5">
          <Plot
            title="Stat score over time"
            as="dots"
            {...timePlot(inTime, { value: wholeScore, tick: formatCompact })}
          />
        </div>
      )}
      <ShowAsTable open={scores.length < 12} className="border-t border-line">
        <DataTable
          caption="Scores, newest first"
          rows={scores}
          rowKey={({ id }) => id}
          columns={[
            { header: "Seen", primary: true, at: ({ at }) => at },
            { header: "Score", numeric: true, cell: ({ score }) => wholeScore(score) },
            {
              header: "Total battle stats",
              numeric: true,
              cell: ({ min, max }) => `${formatNumber(min)} to ${formatNumber(max)}`,
            },
            {
              header: "From",
              cell: ({ source }) => (source === "fight" ? "A fight" : "An import"),
            },
            { header: "Seen by", cell: ({ shared }) => (shared ? "Everyone" : "Your faction") },
          ]}
        />
      </ShowAsTable>
    </Card>
  );
}
