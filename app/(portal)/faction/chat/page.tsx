import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import type { SearchParams } from "#app/_lib/search-params";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { NoFaction } from "../_parts/no-faction";
import { ChooseServer, describeChatLink } from "./_parts/chat-link";
import { EventsChannel } from "./_parts/events-channel";

export const metadata: Metadata = { title: "Chat server" };

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

const shownWords = { hits: "Retaliations", delays: "Delayed OCs" };

/** Works without script. */
export default async function FactionChatPage({ searchParams }: { searchParams: SearchParams }) {
  await requireUser();
  const { factionChat } = await caller();
  const [own, servers, events] = [
    await factionChat.own(),
    await factionChat.servers(),
    await factionChat.events(),
  ];
  if (!own) return <NoFaction title="Chat server">its chat server appears here.</NoFaction>;

  const { state, server, mayChange, choices, factionName, shown } = own;
  const words = describeChatLink(own);
  const listed = state === "ready" || state === "no-channel";
  const administers = servers.some(({ serverId }) => serverId === server?.serverId);
  return (
    <div className="grid gap-6">
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
              <Confirmation
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
    </div>
  );
}
