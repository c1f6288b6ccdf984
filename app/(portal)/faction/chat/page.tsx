import { playerCaller } from "#app/_lib/current-user";
import type { PageProps } from "#app/_lib/search-params";
import { ChannelField } from "#app/_parts/channel-field.tsx";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { ActButton, CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { EventsChannelView } from "#server/faction/chat-link/link-acts";
import type { FactionChat } from "#server/faction/chat-link/read-chat-link";
import { NoFaction } from "../_parts/no-faction";

export const metadata = { title: "Chat server" };

const done = {
  named: "Saved. See below for what is still missing.",
  events: "Saved. What happens from now on is shown in the channel.",
  "events-off": "Saved. Retaliations and delayed OCs are no longer posted.",
  cleared: "Your faction's chat server is unlinked. Requests that are waiting stay open.",
};
const wrong = {
  number: "That is not a server ID. Copy it from the chat: a number of 17 to 19 digits.",
  channel_id: "That text channel no longer exists. Choose one from the list.",
  shown: "Choose what to post: retaliations, delayed OCs or both.",
  "no-bot": "Our bot is not in that server. Invite it there first, then try again.",
};

const linkWords = {
  ready: {
    tone: "good",
    title: "Linked",
    text: "Requests to the vault are shown in the server's banking channel.",
  },
  "no-channel": {
    tone: "warn",
    title: "Linked, but banking is not set up",
    text: "An administrator of the server still has to choose the channel for requests to the vault.",
  },
  "not-listed": {
    tone: "warn",
    title: "Waiting for the server",
    text: "Your faction chose the server, but the server has not added your faction yet. One of its administrators has to do that.",
  },
  "no-bot": {
    tone: "bad",
    title: "Our bot is not in the server",
    text: "Our bot has left the server. Invite it again, or choose another server.",
  },
  "no-server": {
    tone: "neutral",
    title: "Not linked",
    text: "Your faction has not chosen a chat server. Without one, members can't request withdrawals here.",
  },
} as const;

const shownWords = { hits: "Retaliations", delays: "Delayed OCs" };

export default async function FactionChatPage({ searchParams }: PageProps) {
  const { factionChat } = await playerCaller();
  const [own, servers, events] = [
    await factionChat.own(),
    await factionChat.servers(),
    await factionChat.events(),
  ];
  if (!own) return <NoFaction title="Chat server">its chat server appears here.</NoFaction>;

  const { state, server, mayChange, choices, factionName, shown } = own;
  const words = linkWords[state === "no-server" && server ? "no-bot" : state];
  const listed = state === "ready" || state === "no-channel";
  const administers = servers.some(({ serverId }) => serverId === server?.serverId);
  return (
    <>
      <PageHeader
        title="Chat server"
        lead={`Where ${factionName} chats and where its bankers see vault requests.`}
      />
      <FormNotice
        searchParams={searchParams}
        done={done}
        wrong={wrong}
        refused="Nothing was saved"
      />
      <Alert tone={words.tone} title={words.title}>
        {words.text}
      </Alert>
      <Card
        title="Connection"
        description="The faction and the server must both agree. Each side can end the link."
      >
        <KeyValueList
          items={[
            {
              label: "Your faction chose",
              wide: true,
              value: server ? (
                <>
                  {server.name ?? "A server without our bot"}{" "}
                  <span className="tabular text-ink-faint">{server.serverId}</span>
                </>
              ) : (
                "No server"
              ),
            },
            {
              label: "Server side",
              wide: true,
              value: (
                <Status tone={listed ? "good" : "neutral"}>
                  {listed ? "Confirmed" : "Not confirmed"}
                </Status>
              ),
            },
            {
              label: "Banking channel",
              wide: true,
              value: (
                <Status tone={state === "ready" ? "good" : "neutral"}>
                  {state === "ready" ? "Chosen" : "None"}
                </Status>
              ),
            },
            {
              label: "Posts to channel",
              wide: true,
              value: (
                <Status tone={shown.length > 0 ? "good" : "neutral"}>
                  {shown.map((kind) => shownWords[kind]).join(" and ") || "Off"}
                </Status>
              ),
            },
          ]}
        />
      </Card>
      {events && <EventsChannel {...events} />}
      {mayChange && (
        <Card
          title={server ? "Choose another server" : "Choose your faction's server"}
          footer={
            server && (
              <ConfirmButton
                label="Unlink the server"
                action="/faction/chat/server"
                fields={{ act: "clear", shown: server.serverId }}
                consequences="Members can't make new requests until a server is linked again. Requests that are waiting stay open."
              />
            )
          }
        >
          <ChooseServer choices={choices} current={server?.serverId} />
        </Card>
      )}
      {!mayChange && (
        <p className="max-w-prose text-sm text-ink-soft">
          Leaders and members with faction API access choose the server.
        </p>
      )}
      {state !== "ready" && (
        <p className="text-sm text-ink-soft">
          <TextLink href="/docs/factions#set-up">How banking and chat are set up</TextLink>
        </p>
      )}
      {servers.length > 0 && (
        <p className="text-sm text-ink-soft">
          {administers ? "You administer this server. " : "You administer a chat server. "}
          <TextLink
            href={administers && server ? `/chat-servers/${server.serverId}` : "/chat-servers"}
          >
            Set up the server's side
          </TextLink>
        </p>
      )}
    </>
  );
}

type ChooseServerProps = Pick<FactionChat, "choices"> & { current: string | undefined };

const action = "/faction/chat/server";

function ChooseServer({ choices, current }: ChooseServerProps) {
  const others = choices.filter(({ serverId }) => serverId !== current);
  return (
    <div className="grid gap-5">
      {others.length > 0 && (
        <ul className="divide-y divide-line rounded-control border border-line">
          {others.map(({ serverId, name }) => (
            <li
              key={serverId}
              className="flex flex-wrap items-center justify-between gap-3 px-3 py-2.5"
            >
              <div className="min-w-0">
                <p className="font-medium wrap-anywhere">{name}</p>
                <p className="tabular text-sm text-ink-faint">{serverId}</p>
              </div>
              <ActButton action={action} fields={{ server_id: serverId, shown: current }}>
                Choose
              </ActButton>
            </li>
          ))}
        </ul>
      )}
      <CsrfForm
        action={action}
        fields={{ shown: current }}
        className="grid gap-3 sm:grid-cols-[1fr_auto] sm:items-end"
      >
        <InputField
          name="server_id"
          label="Server ID"
          code
          inputMode="numeric"
          maxLength={19}
          autoComplete="off"
        />
        <Button type="submit" variant={current ? "secondary" : "primary"}>
          {current ? "Change the server" : "Save"}
        </Button>
      </CsrfForm>
      <p className="max-w-prose text-sm text-ink-faint">
        Our bot must be in the server. In the chat, turn on developer mode and copy the ID from the
        server's menu.
      </p>
    </div>
  );
}

const kinds = [
  {
    value: "hits",
    label: "Retaliations",
    hint: "Attacker, defender, the time left, and how it ended.",
  },
  {
    value: "delays",
    label: "Delayed OCs",
    hint: "An OC that is ready but waits for a member, and where that member is (in hospital, for example).",
  },
] as const;

function EventsChannel({ channelId, shown, channels }: EventsChannelView) {
  return (
    <Card
      title="Post retaliations and delayed OCs"
      description="The bot posts in the channel you choose, and updates its messages when something changes."
    >
      {channels ? (
        <CsrfForm
          action="/faction/chat/events"
          fields={{ before_channel: channelId ?? undefined }}
          className="grid justify-items-start gap-4"
        >
          {/* The values shown, so that a save cannot overwrite a concurrent change. */}
          {shown.map((kind) => (
            <input key={kind} type="hidden" name="before_shown" value={kind} />
          ))}
          <ChannelField
            label="Channel"
            none="None: nothing is posted"
            hint="Everyone who can read the channel sees this, members of your faction or not."
            chosen={channelId}
            channels={channels}
          />
          <fieldset className="grid gap-2">
            <legend className="mb-2 text-sm font-medium">What to show</legend>
            {kinds.map(({ value, label, hint }) => (
              <Checkbox
                key={value}
                name="shown"
                value={value}
                defaultChecked={channelId === null || shown.includes(value)}
                label={label}
                hint={hint}
              />
            ))}
          </fieldset>
          <Button type="submit" size="sm">
            Save
          </Button>
        </CsrfForm>
      ) : (
        <p className="text-ink-soft">
          Channels cannot be shown: the chat does not answer. Reload the page in a minute.
        </p>
      )}
    </Card>
  );
}
