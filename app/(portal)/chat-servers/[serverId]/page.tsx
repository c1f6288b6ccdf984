import { orNotFound } from "#app/_lib/caller";
import { playerCaller } from "#app/_lib/current-user";
import type { PageProps } from "#app/_lib/search-params";
import { ChannelField } from "#app/_parts/channel-field.tsx";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { ActButton, CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import type { ChatServerView } from "#server/faction/chat-link/read-chat-link";

export const metadata = { title: "Chat server" };

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

export default async function ChatServerPage({ params, searchParams }: PageProps<"serverId">) {
  const { serverId } = await params;
  const server = await orNotFound((await playerCaller()).factionChat.server({ serverId }));
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
                <ActButton action={action} fields={{ act: "list", faction_id: String(factionId) }}>
                  Add
                </ActButton>
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

type ListedFactionProps = {
  faction: ChatServerView["factions"][number];
  live: ChatServerView["live"];
  action: string;
};

function ListedFaction({ faction, live, action }: ListedFactionProps) {
  const { factionId, name, agrees, channelId, roleIds } = faction;
  return (
    <Card
      title={
        <>
          {name} <span className="tabular font-normal text-ink-faint">{factionId}</span>
        </>
      }
      description={
        agrees
          ? "The faction has chosen this server."
          : "The faction has not chosen this server yet. One of its leaders does that under “Chat server”."
      }
      actions={
        <Status tone={agrees ? "good" : "warn"}>
          {agrees ? "Linked" : "Waiting for the faction"}
        </Status>
      }
      footer={
        <ConfirmButton
          label="Remove"
          action={action}
          fields={{ act: "unlist", faction_id: String(factionId) }}
          consequences={`${name} is unlinked from this server at once, and its banking channel setting is deleted.`}
        />
      }
    >
      {live ? (
        <CsrfForm
          action={action}
          fields={{
            act: "banking",
            faction_id: String(factionId),
            shown_channel: channelId ?? undefined,
          }}
          className="grid justify-items-start gap-4"
        >
          {/* The values shown, so that a save cannot overwrite a concurrent change. */}
          {roleIds.map((roleId) => (
            <input key={roleId} type="hidden" name="shown_role" value={roleId} />
          ))}
          <ChannelField
            id={`channel-${factionId}`}
            label="Banking channel"
            none="None: banking is off"
            hint="Everyone who can read the channel sees who requests how much."
            chosen={channelId}
            channels={live.channels}
          />
          {live.roles.length > 0 && (
            <fieldset className="grid gap-2">
              <legend className="mb-2 text-sm font-medium">
                Roles to mention for a new request
              </legend>
              {live.roles.map((role) => (
                <Checkbox
                  key={role.id}
                  id={`role-${factionId}-${role.id}`}
                  name="role_id"
                  value={role.id}
                  defaultChecked={roleIds.includes(role.id)}
                  label={role.name}
                />
              ))}
            </fieldset>
          )}
          <Button type="submit" size="sm">
            Save
          </Button>
        </CsrfForm>
      ) : (
        <p className="text-ink-soft">
          Channels and roles cannot be shown: the chat does not answer. Reload the page in a minute.
        </p>
      )}
    </Card>
  );
}
