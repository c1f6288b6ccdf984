import type { Metadata } from "next";
import { caller, orNotFound } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import type { SearchParams } from "#app/_lib/search-params";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { ListedFaction } from "./_parts/listed-faction";

export const metadata: Metadata = { title: "Chat server" };

type Props = { params: Promise<{ serverId: string }>; searchParams: SearchParams };

const done = {
  listed: "The faction is listed. It is linked as soon as it names this server too.",
  unlisted: "The faction is removed. It is no longer linked to this server.",
  banking: "Banking channel saved. New requests are shown there.",
  off: "Banking is off. Members cannot make requests until you choose a channel.",
};
const wrong = {
  faction_id: "We don't know a faction with that ID. One of its members has to sign in here first.",
  channel_id: "That text channel no longer exists. Choose one from the list.",
  role_ids: "Choose at most ten roles, from the list.",
};

/** For administrators of the server. Works without script. */
export default async function ChatServerPage({ params, searchParams }: Props) {
  const { serverId } = await params;
  await requireUser();
  const server = await orNotFound((await caller()).factionChat.server({ serverId }));
  const action = `/chat-servers/${serverId}/act`;
  return (
    <div className="grid max-w-content gap-6">
      <PageHeader
        title={server.name}
        trail={[{ label: "Chat servers", href: "/chat-servers" }]}
        lead="Which factions may use this server. A faction is linked while it has chosen this server too."
      />
      <FormNotice
        searchParams={searchParams}
        done={done}
        wrong={wrong}
        refused="Nothing was saved"
      />
      {server.waiting.length > 0 && (
        <Card
          title="Waiting for your answer"
          description="These factions chose this server. Add them to link them."
          flush
        >
          <ul className="divide-y divide-line">
            {server.waiting.map(({ factionId, name }) => (
              <li
                key={factionId}
                className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 sm:px-5"
              >
                <span className="min-w-0 wrap-anywhere">
                  {name} <span className="tabular text-ink-faint">{factionId}</span>
                </span>
                <CsrfForm action={action} fields={{ act: "list", faction_id: String(factionId) }}>
                  <Button type="submit" size="sm">
                    Add
                  </Button>
                </CsrfForm>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {server.factions.map((faction) => (
        <ListedFaction
          key={faction.factionId}
          faction={faction}
          live={server.live}
          action={action}
        />
      ))}
      <Card title="Add a faction">
        <CsrfForm
          action={action}
          fields={{ act: "list" }}
          className="grid gap-3 sm:grid-cols-[minmax(0,16rem)_auto] sm:items-end sm:justify-start"
        >
          <InputField
            name="faction_id"
            label="Faction ID"
            code
            inputMode="numeric"
            maxLength={9}
            autoComplete="off"
          />
          <Button type="submit">Add</Button>
        </CsrfForm>
      </Card>
    </div>
  );
}
