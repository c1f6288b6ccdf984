import type { ReactNode } from "react";
import { playerCaller } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { ActButton, CsrfForm } from "#app/_parts/csrf-form.tsx";
import { KeyUse } from "#app/_parts/key-use.tsx";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { AccountSwitch } from "#server/users/account-switches";
import { ChatAccount, ChatAnswer } from "./_parts/chat-account";
import { GameKeys } from "./_parts/game-keys";
import { Notices } from "./_parts/notices";

export const metadata = { title: "Your account" };

export default async function Account({ searchParams }: PageProps) {
  const { player, gameKeys, notices, switches, unserved } = await (
    await playerCaller()
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
          <ActButton action="/account/export">Download</ActButton>
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

/** For on and off: the state, and the button that changes it. */
const wordsOf = (game: string) =>
  ({
    lendsKey: {
      title: "Lend your key",
      text: `Some ${game} data is public but can only be read with a key, such as the names of OCs. If you lend yours, Adjutant reads such public data with it now and then, for everyone. It never reads your private data for others.`,
      note: "Your key is never shown to anyone.",
      on: { state: "Lent", change: "Stop lending" },
      off: { state: "Not lent", change: "Lend my key" },
    },
    sharesOpponentStats: {
      title: "Share scores from your fights",
      text: "Each fight shows how strong your opponent is. If you share, Adjutant reads your fights with your key every ten minutes and adds your opponents' scores to everyone's target lists. If your faction keeps its scores private, yours stay private too. If your faction's fights are already read, yours are not read twice.",
      note: "Your own stats are never shown, whatever you choose.",
      on: { state: "Shared", change: "Stop sharing" },
      off: { state: "Not shared", change: "Share" },
    },
  }) satisfies Record<AccountSwitch, unknown>;

const AccountSwitches = ({ on }: { on: readonly AccountSwitch[] }) => (
  <Card title="What you share" description="Changes take effect at once." flush>
    <ul className="divide-y divide-line">
      {Object.entries(wordsOf(gameName())).map(([name, { title, text, note, ...states }]) => {
        const isOn = on.some((known) => known === name);
        const { state, change } = isOn ? states.on : states.off;
        return (
          <Entry
            key={name}
            title={title}
            text={
              <>
                <p>{text}</p>
                <p className="mt-1">{note}</p>
              </>
            }
          >
            <CsrfForm
              action="/account/switches"
              fields={{ switch: name, on: isOn ? "no" : "yes" }}
              className="flex flex-wrap items-center gap-3"
            >
              <Status tone={isOn ? "good" : "neutral"}>{state}</Status>
              <Button type="submit" size="sm">
                {change}
              </Button>
            </CsrfForm>
          </Entry>
        );
      })}
    </ul>
  </Card>
);

type Props = {
  title: string;
  text: ReactNode;
  children: ReactNode;
};

const Entry = ({ title, text, children }: Props) => (
  <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
    <div className="min-w-0 flex-1 basis-72">
      <h3 className="font-medium">{title}</h3>
      <div className="text-sm text-ink-soft">{text}</div>
    </div>
    {children}
  </li>
);
