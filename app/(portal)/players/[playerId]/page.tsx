import { UserRoundSearch } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import type { SearchParams } from "#app/_lib/search-params";
import { gameName, pageSettings } from "#app/_lib/settings";
import { signInPath } from "#app/_lib/sign-in-path";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { UnknownKey, UnknownUser } from "#server/failures";
import { profileUrl } from "#server/game/site-urls";
import { PlayerId } from "#server/rest/shapes";
import { refusalOf } from "#server/trpc/refusal";
import { EstimateCard, Scores } from "./_parts/strength";

type Props = { params: Promise<{ playerId: string }>; searchParams: SearchParams };

/** Cached for page and title; without `shown` the player is unknown. */
const readPlayer = cache(async (asked: string) => {
  const { data: playerId } = PlayerId.safeParse(
    /^[1-9]\d{0,9}$/.test(asked) ? Number(asked) : undefined,
  );
  if (playerId === undefined) notFound();
  await requireUser();
  const shown = await (await caller()).players.show({ playerId }).catch((thrown: unknown) => {
    if (refusalOf(thrown).status === 404) return undefined;
    throw thrown;
  });
  return { playerId, shown };
});

export async function generateMetadata({ params }: Pick<Props, "params">): Promise<Metadata> {
  const { playerId, shown } = await readPlayer((await params).playerId);
  return { title: shown ? `${shown.player.name} [${playerId}]` : `Player ${playerId}` };
}

/** Only the button for an unknown player calls the game. */
export default async function PlayerPage({ params, searchParams }: Props) {
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

type UnknownProps = Pick<Props, "searchParams"> & { playerId: number };

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
            <CsrfForm action={`/players/${playerId}/read`}>
              <Button type="submit" variant="primary">
                Read from {gameName()}
              </Button>
            </CsrfForm>
          }
        >
          Adjutant knows members of factions that use it, and players that an application has looked
          up.
        </EmptyState>
      </Card>
    </div>
  );
}
