import { ChannelField } from "#app/_parts/channel-field.tsx";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import type { ChatServerPage } from "#server/faction/chat-link/read-chat-link";

type Props = {
  faction: ChatServerPage["factions"][number];
  live: ChatServerPage["live"];
  action: string;
};

export function ListedFaction({ faction, live, action }: Props) {
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
        <Confirmation
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
          {/* Value at rendering, so that a concurrent change is not overwritten. */}
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
