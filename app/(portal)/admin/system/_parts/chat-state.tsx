import { formatNumber } from "#app/_lib/format";
import { Status } from "#app/_ui/badge.tsx";

type Props = {
  chat: { source: "recorded" | "upstream"; messages: { waiting: number; givenUp: number } | null };
};

/** What is not in the chat as it should be. */
export function ChatState({ chat: { source, messages } }: Props) {
  if (!messages) return "Not known";
  const { waiting, givenUp } = messages;
  return (
    <div className="grid gap-1">
      <Status tone={givenUp > 0 ? "warn" : "good"}>
        {source === "recorded" ? "Recorded here, not sent" : "Sent to the chat"}
      </Status>
      <span className="tabular text-sm text-ink-soft">
        {waiting === 0 ? "Nothing waiting." : `${formatNumber(waiting)} waiting for delivery.`}{" "}
        {givenUp > 0 && `${formatNumber(givenUp)} refused by the chat; see the log.`}
      </span>
    </div>
  );
}
