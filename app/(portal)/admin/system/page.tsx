import { adminCaller, adminMetadata } from "#app/_lib/current-user";
import { formatNumber, formatShare } from "#app/_lib/format";
import { gameName } from "#app/_lib/settings";
import { Status, type Tone } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { gameCallErrorKinds } from "#server/game/game-call-error";
import type { RouterOutputs } from "#server/portal/router";

export const generateMetadata = () => adminMetadata("System");

type Shown = RouterOutputs["operations"]["system"];

const jobTones: Readonly<Record<string, Tone>> = { ok: "good", late: "bad", waiting: "neutral" };
const jobWords: Readonly<Record<string, string>> = {
  ok: "On time",
  late: "Late",
  waiting: "Not run yet",
};
const outcomes: Readonly<Record<string, string>> = {
  done: "Done",
  failed: "Failed",
  running: "Running",
};

const secondsPerMinute = 60;

/** Shows the data of `/health` on the metrics port. */
export default async function System() {
  const { status, version, database, limiter, game, chat, model, backlog, jobs } = await (
    await adminCaller()
  ).operations.system();
  return (
    <>
      <PageHeader
        title="System"
        lead="The state of this process and its parts."
        status={
          <Status tone={status === "ready" ? "good" : "bad"}>
            {status === "ready" ? "Ready" : status}
          </Status>
        }
      />
      <Card title="Parts">
        <KeyValueList
          items={[
            { label: "Version", value: version },
            {
              label: "Database",
              wide: true,
              value: (
                <Status tone={database.status === "ok" ? "good" : "bad"}>
                  {database.kind === "postgres" ? "PostgreSQL" : "PGlite, embedded"}
                </Status>
              ),
            },
            {
              label: "Limiter",
              wide: true,
              value: (
                <Status tone={limiter.status === "ok" ? "good" : "warn"}>
                  {limiter.status === "ok"
                    ? limiter.shared
                      ? "Shared by all processes"
                      : "Per process"
                    : "Redis does not answer: limits are counted per process"}
                </Status>
              ),
            },
            ...(limiter.warning ? [{ label: "Warning", wide: true, value: limiter.warning }] : []),
            { label: "Game", wide: true, value: <GameState game={game} /> },
            {
              label: `Calls to ${gameName()}`,
              value: game.budgets
                ? `${formatNumber(game.budgets.calls)} this minute, with the keys of ${formatNumber(game.budgets.players)} players; ${game.budgets.spent === 0 ? "none of them" : formatNumber(game.budgets.spent)} used up.`
                : "Not known",
            },
            { label: "Chat", wide: true, value: <ChatState chat={chat} /> },
            { label: "Stat estimates", wide: true, value: <ModelState model={model} /> },
            {
              label: "Sweeper",
              wide: true,
              value:
                backlog === null
                  ? "Not run yet"
                  : backlog.rows === 0
                    ? "Nothing waiting"
                    : `${formatNumber(backlog.rows)} rows waiting`,
            },
          ]}
        />
      </Card>
      <TableCard
        title="Jobs"
        rows={jobs}
        rowKey={({ name }) => name}
        columns={[
          {
            header: "Job",
            primary: true,
            cell: ({ name }) => <span className="font-medium">{name}</span>,
          },
          {
            header: "State",
            unlabelled: true,
            nowrap: true,
            cell: (job) => (
              <Status tone={jobTones[job.status] ?? "neutral"}>
                {jobWords[job.status] ?? job.status}
              </Status>
            ),
          },
          {
            header: "Last run",
            nowrap: true,
            cell: ({ lastOutcome, lastSlot, lastDone }) =>
              lastSlot ? (
                <>
                  {outcomes[lastOutcome ?? ""] ?? "Unknown"} ·{" "}
                  <Time at={lastOutcome === "done" && lastDone ? lastDone : lastSlot} />
                </>
              ) : (
                "None"
              ),
          },
          {
            header: "Waiting",
            numeric: true,
            cell: ({ backlog: { items, oldestSeconds } }) =>
              oldestSeconds === null
                ? formatNumber(items)
                : `${formatNumber(items)}, the oldest for ${formatNumber(Math.round(oldestSeconds / secondsPerMinute))} minutes`,
          },
          {
            header: "Counts",
            prose: true,
            cell: ({ counts }) => (
              <span className="tabular text-ink-soft">{countsInWords(counts)}</span>
            ),
          },
        ]}
      />
    </>
  );
}

/** "attacks 12, without key 1"; zeros are omitted. */
function countsInWords(counts: Readonly<Record<string, number>> | null): string {
  const told = Object.entries(counts ?? {}).filter(([, amount]) => amount !== 0);
  const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return told.map(([what, amount]) => `${words(what)} ${formatNumber(amount)}`).join(", ") || "–";
}

function GameState({ game }: Pick<Shown, "game">) {
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
            {gameCallErrorKinds[lastError.kind].words ?? lastError.kind}.
          </>
        )}
      </span>
    </div>
  );
}

function ChatState({ chat: { source, messages } }: Pick<Shown, "chat">) {
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

function ModelState({ model }: Pick<Shown, "model">) {
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
