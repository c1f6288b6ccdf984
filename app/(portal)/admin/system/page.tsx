import { caller } from "#app/_lib/caller";
import { adminTitle, requireAdmin } from "#app/_lib/current-user";
import { formatNumber, formatShare } from "#app/_lib/format";
import { gameName } from "#app/_lib/settings";
import { Status, type Tone } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { ModelCard } from "#server/stats/estimates/model/model-card";
import { GameState } from "./_parts/game-state";

export const generateMetadata = () => adminTitle("System");

const jobTones: Readonly<Record<string, Tone>> = { ok: "good", late: "bad", waiting: "neutral" };
const jobWords: Readonly<Record<string, string>> = { ok: "In time", late: "Late", waiting: "Not run yet" };
const outcomes: Readonly<Record<string, string>> = { done: "Done", failed: "Failed", running: "Running" };

const secondsPerMinute = 60;

/** How the parts of the service stand: the same data as `/health` on the metrics port. */
export default async function System() {
  await requireAdmin();
  const { status, version, database, limiter, game, chat, model, backlog, jobs } = await (
    await caller()
  ).operations.system();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="System"
        lead="The state of this process and its parts."
        status={<Status tone={status === "ready" ? "good" : "bad"}>{status === "ready" ? "Ready" : status}</Status>}
      />
      <Card title="Parts">
        <KeyValueList
          items={[
            { label: "Version", value: version },
            {
              label: "Database",
              value: (
                <Status tone={database.status === "ok" ? "good" : "bad"}>
                  {database.kind === "postgres" ? "PostgreSQL" : "PGlite, embedded"}
                </Status>
              ),
            },
            {
              label: "Limiter",
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
            ...(limiter.warning ? [{ label: "Warning", value: limiter.warning }] : []),
            { label: "Game", value: <GameState game={game} /> },
            {
              label: `Calls to ${gameName()}`,
              value: game.budgets
                ? `${formatNumber(game.budgets.calls)} this minute, with the keys of ${formatNumber(game.budgets.players)} players; ${game.budgets.spent === 0 ? "none of them" : formatNumber(game.budgets.spent)} used up.`
                : "Not known",
            },
            { label: "Chat", value: <ChatState chat={chat} /> },
            { label: "Stat estimates", value: <ModelState model={model} /> },
            {
              label: "Sweeper",
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
      <Card title="Jobs" flush>
        <DataTable
          caption="Jobs"
          rows={jobs}
          rowKey={({ name }) => name}
          columns={[
            {
              key: "name",
              header: "Job",
              primary: true,
              cell: ({ name }) => <span className="font-medium">{name}</span>,
            },
            {
              key: "status",
              header: "State",
              nowrap: true,
              cell: (job) => (
                <Status tone={jobTones[job.status] ?? "neutral"}>{jobWords[job.status] ?? job.status}</Status>
              ),
            },
            {
              key: "last",
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
              key: "waiting",
              header: "Waiting",
              numeric: true,
              cell: ({ backlog: { items, oldestSeconds } }) =>
                oldestSeconds === null
                  ? formatNumber(items)
                  : `${formatNumber(items)}, the oldest for ${formatNumber(Math.round(oldestSeconds / secondsPerMinute))} minutes`,
            },
            {
              key: "counts",
              header: "Counts",
              prose: true,
              cell: ({ counts }) => (
                <span className="tabular wrap-anywhere text-ink-soft">{countsInWords(counts)}</span>
              ),
            },
          ]}
        />
      </Card>
    </div>
  );
}

/** "attacks 12, without key 1"; what is zero says nothing. */
function countsInWords(counts: Readonly<Record<string, number>> | null): string {
  const told = Object.entries(counts ?? {}).filter(([, amount]) => amount !== 0);
  const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return told.map(([what, amount]) => `${words(what)} ${formatNumber(amount)}`).join(", ") || "No jobs";
}

type Props = {
  chat: { source: "recorded" | "upstream"; messages: { waiting: number; givenUp: number } | null };
};

/** What is not in the chat as it should be. */
function ChatState({ chat: { source, messages } }: Props) {
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

/** The model of stat estimates that answers at the moment, by its card. */
function ModelState({ model }: { model: ModelCard | null }) {
  if (!model) return <Status tone="neutral">No model yet: not enough fights</Status>;
  return (
    <div className="grid gap-1">
      <Status tone="good">Model in use</Status>
      <span className="tabular text-sm text-ink-soft">
        Trained <Time at={new Date(model.trainedAt)} /> on {formatNumber(model.rows.train)} players; median error{" "}
        {formatShare(model.metrics.median)}, by level alone {formatShare(model.baseline.median)}.{" "}
        <TextLink href="/docs/estimates#model">Its card</TextLink>
      </span>
    </div>
  );
}
