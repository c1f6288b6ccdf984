import { playerCaller } from "#app/_lib/current-user";
import type { PageProps } from "#app/_lib/search-params";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { ClientProviders } from "#app/_parts/interactive.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { type Column, TableCard } from "#app/_ui/data-table.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { AddEndpointForm } from "#app/(portal)/developers/apps/[clientId]/webhooks/_parts/add-endpoint.tsx";
import { endpointPath } from "#app/(portal)/developers/apps/[clientId]/webhooks/_parts/endpoint-path";
import { EndpointStatus } from "#app/(portal)/developers/apps/[clientId]/webhooks/_parts/endpoint-status.tsx";
import type { RouterOutputs } from "#server/portal/router";

export const metadata = { title: "Notifications" };

type Shown = RouterOutputs["account"]["notifications"];

const done = {
  saved: "Your choices are saved.",
  remove: "The webhook is removed. Nothing more is sent to it.",
};

export default async function Notifications({ searchParams }: PageProps) {
  const shown = await (await playerCaller()).account.notifications();
  return (
    <>
      <PageHeader
        title="Notifications"
        lead={
          <>
            Choose what also reaches you outside of this site. Everything is listed under{" "}
            <TextLink href="/account/notices">Notices</TextLink>.
          </>
        }
      />
      <FormNotice searchParams={searchParams} done={done} refused="Nothing was saved" />
      <Choices {...shown} />
      <OwnWebhook webhook={shown.webhook} />
    </>
  );
}

function Choices({ topics, chat, webhook }: Shown) {
  const hasChat = chat.offered || chat.linked;
  return (
    <CsrfForm action="/account/notifications/save">
      <TableCard
        title="What you are sent"
        description={
          <>
            <ChatInWords {...chat} /> {!webhook && "Add your webhook below to choose its messages."}
          </>
        }
        footer={
          (hasChat || webhook) && (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <Button type="submit" variant="primary">
                Save choices
              </Button>
              <p className="min-w-0 flex-1 basis-64 text-sm text-ink-faint">
                If something is switched off here, you get a last message about it. Messages link to
                a page of this site and never sign you in.
              </p>
            </div>
          )
        }
        rows={topics}
        rowKey={({ topic }) => topic}
        columns={[
          {
            header: "Kind",
            primary: true,
            prose: true,
            cell: ({ topic, title, words, chat: isOn }) => (
              <span className="grid gap-0.5">
                <span className="font-medium">{title}</span>
                <span className="text-sm text-ink-soft">{words}</span>
                {!hasChat && isOn && <input type="hidden" name="chat" value={topic} />}
              </span>
            ),
          },
          ...(hasChat ? [chatColumn] : []),
          {
            header: "Webhook",
            nowrap: true,
            cell: ({ topic, title, webhook: isOn }) => (
              <Checkbox
                name="webhook"
                value={topic}
                defaultChecked={isOn}
                disabled={webhook === null}
                label={<Label by="Webhook" title={title} />}
              />
            ),
          },
        ]}
      />
    </CsrfForm>
  );
}

const chatColumn: Column<Shown["topics"][number]> = {
  header: "Chat message",
  nowrap: true,
  cell: ({ topic, title, chat }) => (
    <Checkbox
      name="chat"
      value={topic}
      defaultChecked={chat}
      label={<Label by="Chat message" title={title} />}
    />
  ),
};

/** Screen readers need a name per box; sighted users see the column's header. */
const Label = ({ by, title }: { by: string; title: string }) => (
  <span className="sr-only">{`${by}: ${title}`}</span>
);

function ChatInWords({ offered, linked }: Shown["chat"]) {
  if (linked) return <>Chat messages go to your linked chat account, as direct messages.</>;
  if (!offered) return <>This site is not connected to a chat, so no chat messages are sent.</>;
  return (
    <>
      Chat messages need a linked chat account:{" "}
      <TextLink href="/account#chat">link one under Account</TextLink>.
    </>
  );
}

const OwnWebhook = ({ webhook }: Pick<Shown, "webhook">) => (
  <Card
    title="Your webhook"
    description={
      <>
        Sends the kinds above to a URL of yours, signed, beginning with all of them.{" "}
        <TextLink href="/docs/notifications#webhook">How to receive them</TextLink>
      </>
    }
    actions={
      webhook && (
        <LinkButton href={endpointPath(webhook)} size="sm">
          Deliveries and settings
        </LinkButton>
      )
    }
  >
    <ClientProviders>
      <AddEndpointForm
        clientId={null}
        instead={
          webhook && (
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
              <code className="min-w-0 text-sm wrap-anywhere">{webhook.url}</code>
              <EndpointStatus endpoint={webhook} />
            </div>
          )
        }
      />
    </ClientProviders>
  </Card>
);
