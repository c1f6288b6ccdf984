import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import type { Tone } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { InputField } from "#app/_ui/field.tsx";
import type { FactionChat } from "#server/faction/chat-link/read-chat-link";

export function describeChatLink({ state, server }: Pick<FactionChat, "state" | "server">): {
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
} {
  if (state === "ready")
    return {
      tone: "good",
      title: "Linked",
      text: "Requests to the vault are shown in the server's banking channel.",
    };
  if (state === "no-channel")
    return {
      tone: "warn",
      title: "Linked, but banking is not set up",
      text: "An administrator of the server still has to choose the channel for requests to the vault.",
    };
  if (state === "not-listed")
    return {
      tone: "warn",
      title: "Waiting for the server",
      text: "Your faction chose the server, but the server has not added your faction yet. One of its administrators has to do that.",
    };
  if (server)
    return {
      tone: "bad",
      title: "Our bot is not in the server",
      text: "Our bot has left the server. Invite it again, or choose another server.",
    };
  return {
    tone: "neutral",
    title: "Not linked",
    text: "Your faction has not chosen a chat server. Without one, members can't request withdrawals here.",
  };
}

type ChooseServerProps = Pick<FactionChat, "choices"> & { current: string | undefined };

const action = "/faction/chat/server";

export function ChooseServer({ choices, current }: ChooseServerProps) {
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
              <CsrfForm action={action} fields={{ server_id: serverId, shown: current }}>
                <Button type="submit" size="sm">
                  Choose
                </Button>
              </CsrfForm>
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
