import { TextLink } from "#app/_ui/text-link.tsx";
import type { CallOutcome } from "#server/oauth/clients/traffic/traffic";

const words: Readonly<Record<CallOutcome, string>> = {
  all: "All",
  good: "Succeeded",
  failed: "Failed",
  limited: "Rate-limited",
};

const outcomes: readonly CallOutcome[] = ["all", "good", "failed", "limited"];

/** Which calls are listed: links, so that a view can be sent to somebody. */
export function OutcomeFilter({ page, chosen }: { page: string; chosen: CallOutcome }) {
  return (
    <nav aria-label="Filter by outcome" className="flex flex-wrap gap-1">
      {outcomes.map((outcome) => (
        <TextLink
          key={outcome}
          href={outcome === "all" ? page : `${page}?outcome=${outcome}`}
          plain
          aria-current={outcome === chosen ? "page" : undefined}
          className="rounded-control px-2.5 py-1 text-sm text-ink-soft hover:bg-accent-wash hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:py-2.5"
        >
          {words[outcome]}
        </TextLink>
      ))}
    </nav>
  );
}
