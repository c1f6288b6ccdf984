import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { KeyUse } from "#app/_parts/key-use.tsx";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { AccountSwitches } from "./_parts/account-switches";
import { ChatAccount, ChatAnswer } from "./_parts/chat-account";
import { Entry } from "./_parts/entry";
import { GameKeys } from "./_parts/game-keys";
import { Notices } from "./_parts/notices";

export const metadata: Metadata = { title: "Your account" };

export default async function Account({ searchParams }: { searchParams: SearchParams }) {
  await requireUser();
  const { player, gameKeys, notices, switches, unserved } = await (
    await caller()
  ).account.overview();
  return (
    <>
      <PageHeader
        title={<PlayerName name={player.name} playerId={player.id} />}
        lead={player.factionName ?? "No faction"}
        media={<Avatar name={player.name} size="lg" />}
        actions={<LinkButton href="/account/apps">Connected apps</LinkButton>}
      />
      <ChatAnswer done={await readParam(searchParams, "chat")} />
      <Card
        title="Player"
        description={`As ${gameName()} reports it. Applications may look up any player's name, level, faction and chat account.`}
      >
        <KeyValueList
          items={[
            { label: "Level", value: <span className="tabular">{player.level ?? "Unknown"}</span> },
            { label: "Faction", value: player.factionName ?? "None" },
            {
              label: "Chat account",
              value: player.chatId ? `Linked in ${gameName()}` : `Not linked in ${gameName()}`,
            },
            {
              label: "Last active",
              value: player.lastAction ? <Time at={player.lastAction} /> : "Unknown",
            },
            {
              label: "Last updated",
              value: player.lastRefresh ? <Time at={player.lastRefresh} /> : "Not yet",
            },
          ]}
        />
      </Card>
      <GameKeys gameKeys={gameKeys} unserved={unserved} />
      <ChatAccount />
      {gameKeys.length > 0 && <AccountSwitches on={switches} />}
      <Notices notices={notices} on="overview" />
      <KeyUse />
      <YourData />
    </>
  );
}

function YourData() {
  return (
    <Card title="Your data" flush>
      <ul className="divide-y divide-line">
        <Entry
          title="Export"
          text="Everything stored about you, as one JSON file without keys and secrets."
        >
          <CsrfForm action="/account/export">
            <Button type="submit" size="sm">
              Download
            </Button>
          </CsrfForm>
        </Entry>
        <Entry
          title="Delete"
          text="Deletes your account and ends all access you gave. The next page lists what is affected."
        >
          <LinkButton href="/account/delete" size="sm">
            Delete account
          </LinkButton>
        </Entry>
      </ul>
    </Card>
  );
}
