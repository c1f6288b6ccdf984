import { gameName } from "#app/_lib/settings";
import { Status } from "#app/_ui/badge.tsx";
import { Time } from "#app/_ui/time.tsx";

type Props = {
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

/** How the game stands, as this process last met it. */
export function GameState({ game }: Props) {
  const { source, breaker, until, lastSuccess, lastError } = game;
  const name = source === "simulated" ? `Simulated ${gameName()}` : `${gameName()} API`;
  return (
    <div className="grid gap-1">
      <Status tone={breaker === "closed" ? "good" : breaker === "open" ? "bad" : "warn"}>
        {breaker === "closed" ? name : breaker === "open" ? "Calls suspended" : "Checking whether it is back"}
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
            The last failure was <Time at={lastError.at} />: {faults[lastError.kind] ?? lastError.kind}.
          </>
        )}
      </span>
    </div>
  );
}
