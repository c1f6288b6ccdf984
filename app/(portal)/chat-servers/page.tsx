import { MessagesSquare } from "lucide-react";
import { playerCaller } from "#app/_lib/current-user";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";

export const metadata = { title: "Chat servers" };

export default async function ChatServersPage() {
  const servers = await (await playerCaller()).factionChat.servers();
  return (
    <div className="grid max-w-content gap-6">
      <PageHeader
        title="Chat servers"
        lead="Servers with our bot that you own or administer. Updated once an hour."
      />
      <Card flush>
        {servers.length === 0 ? (
          <EmptyState
            icon={<MessagesSquare />}
            title="No server yet"
            action={<LinkButton href="/faction/chat">Your faction's chat server</LinkButton>}
          >
            Invite our bot to a server that you administer, and link your chat account to your
            player. The server appears here within an hour.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {servers.map(({ serverId, name }) => (
              <li
                key={serverId}
                className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 sm:px-5"
              >
                <div className="min-w-0">
                  <TextLink
                    href={`/chat-servers/${serverId}`}
                    className="font-medium wrap-anywhere"
                  >
                    {name}
                  </TextLink>
                  <p className="tabular text-sm text-ink-faint">{serverId}</p>
                </div>
                <LinkButton href={`/chat-servers/${serverId}`} size="sm">
                  Set up
                </LinkButton>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}
