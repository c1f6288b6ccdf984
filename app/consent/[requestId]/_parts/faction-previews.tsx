import type { ReactNode } from "react";
import { formatCount } from "#app/_lib/format-count";
import { Time } from "#app/_ui/time.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { FactionPreview } from "#server/faction/preview-own-faction";
import type { CappedCount } from "#server/platform/capped-count";

/** Hits on the own faction that can still be answered. */
export function AttacksPreview({ attacks: { open, readAt } }: { attacks: FactionPreview["attacks"] }) {
  if (readAt === null) return <Nothing>No attacks of your faction are stored yet.</Nothing>;
  return <Line what={`${inWords(open, "hit")} to answer now`} beside={<LastRead at={readAt} />} />;
}

const states = { pending: "waiting", fulfilled: "paid", cancelled: "cancelled" } as const;

/** The reader's own requests to the vault. The balance is not stored. */
export function BankingPreview({ banking: { pending, last } }: { banking: FactionPreview["banking"] }) {
  if (last === null) return <Nothing>No vault requests yet. Your balance is not stored.</Nothing>;
  return (
    <Line
      what={`${inWords(pending, "request")} waiting`}
      beside={
        <>
          Newest: {formatAmount(last.amount, last.currency)}, {states[last.status]}, <Time at={last.requestedAt} />
        </>
      }
    />
  );
}

/** Who held up organized crimes of the own faction. */
export function CrimesPreview({ crimes: { delays, newest, readAt } }: { crimes: FactionPreview["crimes"] }) {
  if (readAt === null && newest === null) return <Nothing>No organized crimes of your faction are stored yet.</Nothing>;
  return (
    <Line
      what={`${inWords(delays, "delay")} of organized crimes`}
      beside={newest ? `Newest: ${newest.position}, ${newest.reason}` : readAt && <LastRead at={readAt} />}
    />
  );
}

const LastRead = ({ at }: { at: Date }) => (
  <>
    Last read <Time at={at} />
  </>
);

const Line = ({ what, beside }: { what: ReactNode; beside: ReactNode }) => (
  <span className="flex flex-wrap justify-between gap-x-4 gap-y-0.5">
    <span className="tabular">{what}</span>
    <span className="tabular text-ink-soft">{beside}</span>
  </span>
);

const Nothing = ({ children }: { children: ReactNode }) => <span className="text-ink-faint">{children}</span>;

function inWords({ count, more }: CappedCount, what: string): string {
  if (count === 0) return `No ${what}s`;
  return `${more ? "More than " : ""}${formatCount(count, what)}`;
}
