import { Badge, type Tone } from "#app/_ui/badge.tsx";
import type { AttemptView, Phases } from "#server/webhooks/attempt";

const parts = [
  { phase: "dns", label: "DNS", className: "fill-ink-faint" },
  { phase: "connect", label: "connection", className: "fill-warn" },
  { phase: "tls", label: "TLS", className: "fill-good" },
  { phase: "firstByte", label: "answer", className: "fill-accent-text" },
] as const;

const round = (milliseconds: number) =>
  milliseconds >= 10 ? Math.round(milliseconds) : Number(milliseconds.toFixed(1));

/** "DNS 2 ms, connection 3 ms, answer 40 ms". */
function phasesInWords(phases: Phases): string {
  const finished = parts.flatMap(({ phase, label }) => {
    const took = phases[phase];
    return took === null ? [] : [`${label} ${round(took)} ms`];
  });
  return finished.join(", ") || "no phase was finished";
}

export function PhasesBar({ phases }: { phases: Phases }) {
  const whole = Math.max(phases.total, 0.1);
  const words = phasesInWords(phases);
  let begin = 0;
  return (
    <span className="inline-flex items-center gap-2" title={words}>
      <svg
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        className="h-2 w-16 flex-none overflow-clip rounded-full"
        role="img"
        aria-label={words}
      >
        <rect width="100" height="8" className="fill-line" />
        {parts.map(({ phase, className }) => {
          const width = Math.min(((phases[phase] ?? 0) / whole) * 100, 100 - begin);
          const x = begin;
          begin += width;
          return <rect key={phase} x={x} width={width} height="8" className={className} />;
        })}
      </svg>
      <span className="tabular whitespace-nowrap">{round(phases.total)} ms</span>
    </span>
  );
}

export const StatusBadge = ({ status, tone }: { status: number | null; tone: Tone }) => (
  <Badge tone={tone}>{status ?? "No answer"}</Badge>
);

export function ResponseExcerpt({ text }: { text: string }) {
  return (
    <details>
      <summary className="w-fit rounded-control text-sm text-accent-text underline decoration-accent-text/35 underline-offset-[0.2em]">
        Answer
      </summary>
      <pre className="mt-1.5 max-w-full rounded-control border border-line bg-sunken px-3 py-2 text-left font-mono text-xs whitespace-pre-wrap wrap-anywhere">
        {text}
      </pre>
    </details>
  );
}

type ResultProps = {
  title: string;
  attempt: AttemptView;
  /** True if the answer is the expected one. */
  good: boolean;
};

export function AttemptResultCard({ title, attempt, good }: ResultProps) {
  const { status, failure, phases, excerpt } = attempt;
  return (
    <div className="grid gap-1.5 rounded-control border border-line px-3 py-2.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <span className="font-medium">{title}</span>
        <StatusBadge status={status} tone={good ? "good" : "bad"} />
        <PhasesBar phases={phases} />
      </div>
      {failure && <p className="text-ink-soft">{failure}</p>}
      {excerpt && <ResponseExcerpt text={excerpt} />}
    </div>
  );
}
