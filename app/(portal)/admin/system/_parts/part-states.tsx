import { formatNumber, formatShare } from "#app/_lib/format";
import { gameName } from "#app/_lib/settings";
import { Status } from "#app/_ui/badge.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { ModelCard } from "#server/stats/estimates/model/model-card";

type GameStateProps = {
  game: {
    source: "simulated" | "upstream";
    breaker: "closed" | "open" | "half-open";
    until: Date | null;
    lastSuccess: Date | null;
    lastError: { kind: string; at: Date } | null;
  };
};

const faults: Readonly<Record<string, string>> = {
  "ip-block": "it blocked our address",
  "front-refusal": "it refused a call (403)",
  network: "the connection failed",
  timeout: "no answer in time",
  "server-side": "it reported a fault",
  "unexpected-answer": "it sent an answer that cannot be read",
};

/** As this process last saw it. */
export function GameState({ game }: GameStateProps) {
  const { source, breaker, until, lastSuccess, lastError } = game;
  const name = source === "simulated" ? `Simulated ${gameName()}` : `${gameName()} API`;
  return (
    <div className="grid gap-1">
      <Status tone={breaker === "closed" ? "good" : breaker === "open" ? "bad" : "warn"}>
        {breaker === "closed"
          ? name
          : breaker === "open"
            ? "Calls suspended"
            : "Checking whether it is back"}
      </Status>
      <span className="text-sm text-ink-soft">
        {until && (
          <>
            Next try <Time at={until} />.{" "}
          </>
        )}
        {lastSuccess ? (
          <>
            It last answered <Time at={lastSuccess} />.
          </>
        ) : (
          "No answer yet since this process started."
        )}{" "}
        {lastError && (
          <>
            The last failure was <Time at={lastError.at} />:{" "}
            {faults[lastError.kind] ?? lastError.kind}.
          </>
        )}
      </span>
    </div>
  );
}

type ChatStateProps = {
  chat: { source: "recorded" | "upstream"; messages: { waiting: number; givenUp: number } | null };
};

export function ChatState({ chat: { source, messages } }: ChatStateProps) {
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

export function ModelState({ model }: { model: ModelCard | null }) {
  if (!model) return <Status tone="neutral">No model yet: not enough fights</Status>;
  return (
    <div className="grid gap-1">
      <Status tone="good">Model in use</Status>
      <span className="tabular text-sm text-ink-soft">
        Trained <Time at={new Date(model.trainedAt)} /> on {formatNumber(model.rows.train)} players;
        median error {formatShare(model.metrics.median)}, by level alone{" "}
        {formatShare(model.baseline.median)}.{" "}
        <TextLink href="/docs/estimates#model">Its card</TextLink>
      </span>
    </div>
  );
}
