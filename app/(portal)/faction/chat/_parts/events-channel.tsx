import { ChannelField } from "#app/_parts/channel-field.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import type { EventsChannelForm } from "#server/faction/chat-link/link-acts";

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

export function EventsChannel({ channelId, shown, channels }: EventsChannelForm) {
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
          {/* Value at rendering, so that a concurrent change is not overwritten. */}
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
