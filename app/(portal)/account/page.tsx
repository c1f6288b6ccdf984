import { KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import { playerCaller } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { signInPath } from "#app/_lib/sign-in-path";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { ActButton, CsrfForm } from "#app/_parts/csrf-form.tsx";
import { KeyUseCard } from "#app/_parts/key-use.tsx";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { isSignInRefusal, type SignInRefusal, signInRefusals } from "#server/auth/sign-in-refused";
import { type KeyPurpose, keyPurposes } from "#server/game/selections";
import type { RouterOutputs } from "#server/portal/router";
import type { AccountSwitch } from "#server/users/account-switches";
import type { GameKeyView } from "#server/users/keys/own-keys";

export const metadata = { title: "Your account" };

export default async function Account({ searchParams }: PageProps) {
  const { account, chat } = await playerCaller();
  const [overview, chatAccount] = await Promise.all([account.overview(), chat.link()]);
  const { player, gameKeys, switches, unserved } = overview;
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
              at: player.lastAction,
              never: "Unknown",
            },
            {
              label: "Last updated",
              at: player.lastRefresh,
              never: "Not yet",
            },
          ]}
        />
      </Card>
      <GameKeys gameKeys={gameKeys} unserved={unserved} />
      <ChatAccount {...chatAccount} />
      {gameKeys.length > 0 && <AccountSwitches on={switches} />}
      <KeyUseCard />
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

/** `on` and `off` each hold the shown state and the label of the button that changes it. */
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

type EntryProps = { title: string; text: ReactNode; children: ReactNode };

const Entry = ({ title, text, children }: EntryProps) => (
  <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
    <div className="min-w-0 flex-1 basis-72">
      <h3 className="font-medium">{title}</h3>
      <div className="text-sm text-ink-soft">{text}</div>
    </div>
    {children}
  </li>
);

const keyStates = {
  active: { tone: "good", word: "Works" },
  paused: { tone: "warn", word: "Paused" },
  disabled: { tone: "warn", word: "Not usable" },
  dead: { tone: "bad", word: "Deleted" },
} as const satisfies Record<GameKeyView["state"], unknown>;

type GameKeysProps = {
  gameKeys: readonly GameKeyView[];
  /** Purposes that no key of the player serves. */
  unserved: readonly KeyPurpose[];
};

function GameKeys({ gameKeys, unserved }: GameKeysProps) {
  const addKey = (
    <LinkButton href={signInPath({ next: "/account", for: "key" })} size="sm">
      Add another key
    </LinkButton>
  );
  return (
    <TableCard
      title="Game keys"
      description={`Stored encrypted. If you delete a key in ${gameName()}, it is removed here the next time it is used.`}
      actions={addKey}
      footer={
        gameKeys.length > 0 &&
        unserved.length > 0 && (
          <ul className="grid gap-1">
            {unserved.map((purpose) => (
              <li key={purpose}>
                {keyPurposes[purpose].title}: no key of yours reads this.{" "}
                <TextLink href={signInPath({ next: "/account", for: purpose })}>
                  Add a key that does
                </TextLink>
              </li>
            ))}
          </ul>
        )
      }
      rows={gameKeys}
      rowKey={(key) => key.id}
      empty={
        <EmptyState icon={<KeyRound />} title="No key is stored">
          Add your {gameName()} API key to store one.
        </EmptyState>
      }
      columns={[
        {
          header: "Key",
          primary: true,
          cell: ({ lastFour }) => (
            <span className="font-mono">
              <span className="sr-only">ends in </span>
              <span aria-hidden="true">••••</span>
              {lastFour}
            </span>
          ),
        },
        { header: "Level", cell: ({ type }) => type },
        {
          header: "Faction data",
          cell: (key) =>
            key.serves.includes("faction")
              ? "Can read it"
              : key.factionApiAccess
                ? "Can read parts of it"
                : "Cannot read it",
        },
        {
          header: "State",
          unlabelled: true,
          nowrap: true,
          cell: ({ state, lastError }) => (
            <span title={lastError ?? undefined}>
              <Status tone={keyStates[state].tone}>{keyStates[state].word}</Status>
            </span>
          ),
        },
        { header: "Last worked", at: ({ lastOkAt }) => lastOkAt },
        { header: "Added", at: ({ createdAt }) => createdAt },
        {
          header: "Remove",
          actions: true,
          cell: ({ id, lastFour }) => (
            <ConfirmButton
              label="Remove"
              what={`the key ending in ${lastFour}`}
              confirm="Remove the key"
              action="/account/keys/remove"
              fields={{ key_id: id }}
              consequences={`Adjutant deletes the key that ends in ${lastFour}${gameKeys.length === 1 ? ", your last one: applications get no new data of yours until you add another" : ""}. In ${gameName()} it stays until you delete it there.`}
            />
          ),
        },
      ]}
    />
  );
}

function ChatAccount({ offered, link }: RouterOutputs["chat"]["link"]) {
  if (!offered && !link) return null;
  return (
    <Card
      id="chat"
      title="Sign in with your chat account"
      description={
        link
          ? "Anyone signed in to this chat account can sign in here without a game key."
          : "Link your chat account to sign in without a game key. Anyone who can use that account can then use this one."
      }
      footer={
        link ? (
          <ConfirmButton
            label="Unlink the chat account"
            action="/account/chat/unlink"
            consequences="It can no longer sign in here. Browsers that are signed in stay signed in: end them under “Sessions”. You can still sign in with your game key."
          />
        ) : (
          <ActButton action="/account/chat/link">Link a chat account</ActButton>
        )
      }
    >
      {link && (
        <KeyValueList
          items={[
            { label: "Chat account", value: <span className="tabular">{link.chatId}</span> },
            { label: "Linked", at: link.linkedAt },
            {
              label: "Last sign-in",
              at: link.lastSignInAt,
              never: "Not yet",
            },
          ]}
        />
      )}
    </Card>
  );
}

/** The sign-in page has its own sentences for the same refusals. */
const ofLinking: Partial<Record<SignInRefusal, string>> = {
  "chat-declined": "You did not agree in the chat, so nothing was linked.",
  "chat-unavailable":
    "The chat did not tell us who you are, so nothing was linked. Try again in a few minutes.",
  "chat-expired":
    "That link has expired, was already used, or was started in another sign-in. Start again.",
};

const chatDone: Readonly<Record<string, string>> = {
  linked: "Your chat account is linked. You can sign in with it from now on.",
  unlinked: "Unlinked. The chat account can no longer sign in here.",
};

/** @param done result in the address: "linked", "unlinked", or a word of `signInRefusals` */
function ChatAnswer({ done = "" }: { done: string | undefined }) {
  const sentence = Object.hasOwn(chatDone, done) ? chatDone[done] : undefined;
  if (sentence)
    return (
      <Alert tone="good" live>
        {sentence}
      </Alert>
    );
  if (!isSignInRefusal(done)) return null;
  return (
    <Alert tone="warn" title="Not linked" live>
      {ofLinking[done] ?? signInRefusals[done]}
    </Alert>
  );
}
