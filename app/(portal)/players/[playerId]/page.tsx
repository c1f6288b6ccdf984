import { UserRoundSearch } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { caller, isUnknown } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { gameName, pageSettings } from "#app/_lib/settings";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { profileUrl } from "#server/game/site-urls";
import { PlayerId } from "#server/rest/shapes";
import { EstimateCard, Scores } from "./_parts/strength";

type Props = { params: Promise<{ playerId: string }> };

/** Read once for the page and its title; `shown` is missing where nothing is known of the player. */
const readPlayer = cache(async (asked: string) => {
  const { data: playerId } = PlayerId.safeParse(
    /^[1-9]\d{0,9}$/.test(asked) ? Number(asked) : undefined,
  );
  if (playerId === undefined) notFound();
  await requireUser();
  const shown = await (await caller()).players.show({ playerId }).catch((thrown: unknown) => {
    if (isUnknown(thrown)) return undefined;
    throw thrown;
  });
  return { playerId, shown };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { playerId, shown } = await readPlayer((await params).playerId);
  return { title: shown ? `${shown.player.name} [${playerId}]` : `Player ${playerId}` };
}

/** A player: profile, and what the reader may see of their strength. Nothing is asked of the game for it. */
export default async function PlayerPage({ params }: Props) {
  const { playerId, shown } = await readPlayer((await params).playerId);
  if (!shown) return <UnknownPlayer playerId={playerId} />;
  const { player, estimate, scores } = shown;
  const { name, level, faction, lastAction, lastRefresh } = player;
  return (
    <div className="grid gap-6">
      <PageHeader
        title={
          <>
            {name} <span className="tabular font-normal text-ink-faint">[{playerId}]</span>
          </>
        }
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
              { label: "Last action", value: lastAction ? <Time at={lastAction} /> : "Not known" },
              {
                label: "Profile",
                value: lastRefresh ? <Time at={lastRefresh} /> : "Not fetched yet",
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

/** A player that a list or a link names, but that was never read. */
function UnknownPlayer({ playerId }: { playerId: number }) {
  return (
    <div className="grid gap-6">
      <PageHeader title={`Player ${playerId}`} trail={[{ label: "Players", href: "/players" }]} />
      <Card flush>
        <EmptyState
          icon={<UserRoundSearch aria-hidden="true" />}
          title="Nothing is known about this player yet"
          action={<ProfileLink playerId={playerId} />}
        >
          Adjutant knows members of factions that use it, and players that an application has looked
          up.
        </EmptyState>
      </Card>
    </div>
  );
}
