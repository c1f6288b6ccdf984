import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Input } from "#app/_ui/controls.tsx";
import { Field } from "#app/_ui/field.tsx";
import type { NamedServer } from "#server/faction/chat-link/show-chat-server";

type Props = { choices: readonly NamedServer[]; current: string | undefined };

const action = "/faction/chat/server";

/** Names the faction's server: one of those that have to do with it, or any other by its number. */
export function ChooseServer({ choices, current }: Props) {
  const others = choices.filter(({ serverId }) => serverId !== current);
  return (
    <div className="grid gap-5">
      {others.length > 0 && (
        <ul className="divide-y divide-line rounded-control border border-line">
          {others.map(({ serverId, name }) => (
            <li key={serverId} className="flex flex-wrap items-center justify-between gap-3 px-3 py-2.5">
              <div className="min-w-0">
                <p className="font-medium wrap-anywhere">{name}</p>
                <p className="tabular text-sm text-ink-faint">{serverId}</p>
              </div>
              <CsrfForm action={action} fields={{ server_id: serverId, shown: current }}>
                <Button type="submit" size="sm">
                  Choose
                </Button>
              </CsrfForm>
            </li>
          ))}
        </ul>
      )}
      <CsrfForm action={action} fields={{ shown: current }} className="grid gap-3 sm:grid-cols-[1fr_auto] sm:items-end">
        <Field name="server_id" label="Server ID">
          {(control) => <Input {...control} code inputMode="numeric" maxLength={19} autoComplete="off" />}
        </Field>
        <Button type="submit" variant={current ? "secondary" : "primary"}>
          {current ? "Change the server" : "Save"}
        </Button>
      </CsrfForm>
      <p className="max-w-prose text-sm text-ink-faint">
        Our bot must be in the server. In the chat, turn on developer mode and copy the ID from the server's menu.
      </p>
    </div>
  );
}
