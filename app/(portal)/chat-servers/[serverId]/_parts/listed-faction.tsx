import { Confirmation } from "#app/_parts/confirmation.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { Field } from "#app/_ui/field.tsx";
import { Select } from "#app/_ui/select.tsx";
import { Status } from "#app/_ui/status.tsx";
import type { ChatServerPage } from "#server/faction/chat-link/show-chat-server";

type Props = {
  faction: ChatServerPage["factions"][number];
  live: ChatServerPage["live"];
  action: string;
};

/** A faction that the server lists: whether it agrees, where its requests are shown, whom they call. */
export function ListedFaction({ faction, live, action }: Props) {
  const { factionId, name, agrees, channelId, roleIds } = faction;
  const channels = (live?.channels ?? []).map((channel) => ({ value: channel.id, label: `#${channel.name}` }));
  const gone = channelId !== null && live !== null && !channels.some(({ value }) => value === channelId);
  return (
    <Card
      title={
        <>
          {name} <span className="tabular font-normal text-ink-faint">{factionId}</span>
        </>
      }
      description={
        agrees
          ? "The faction names this server, too."
          : "The faction does not name this server yet. One of its leaders does that on the page “Chat server”."
      }
      actions={<Status tone={agrees ? "good" : "warn"}>{agrees ? "Linked" : "Waiting for the faction"}</Status>}
      footer={
        <Confirmation
          label="Take off the list"
          action={action}
          fields={{ act: "unlist", faction_id: String(factionId) }}
          consequences={`${name} is no longer linked to this server from this moment, and its banking channel is forgotten.`}
        />
      }
    >
      {live ? (
        <CsrfForm
          action={action}
          fields={{ act: "banking", faction_id: String(factionId), shown_channel: channelId ?? undefined }}
          className="grid justify-items-start gap-4"
        >
          {/* What was chosen when this page was made, so that a choice saved since then is not lost. */}
          {roleIds.map((roleId) => (
            <input key={roleId} type="hidden" name="shown_role" value={roleId} />
          ))}
          <Field
            name="channel_id"
            id={`channel-${factionId}`}
            label="Banking channel"
            required={false}
            className="w-full max-w-96"
            error={gone && "The channel that was chosen is gone. Choose another one."}
            hint="Everybody who can read the channel sees who asks for how much."
          >
            {(control) => (
              <Select
                {...control}
                defaultValue={gone ? "" : (channelId ?? "")}
                options={[{ value: "", label: "None: banking is off" }, ...channels]}
              />
            )}
          </Field>
          {live.roles.length > 0 && (
            <fieldset className="grid gap-2">
              <legend className="mb-2 text-sm font-medium">Roles that a new request calls</legend>
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
          The chat does not answer at the moment, so channels and roles cannot be shown. Load the page again in a
          minute.
        </p>
      )}
    </Card>
  );
}
