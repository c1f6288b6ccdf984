import { Status } from "#app/_ui/status.tsx";
import type { CappedCount } from "#server/platform/capped-count";

type Props = { suspended: boolean; figures: { users: CappedCount; calls: CappedCount; errors: number } };

/** More errors than this share of the calls need somebody's eyes. */
const tooManyErrors = 0.05;

/** How an application does, in a word. */
export function ApplicationHealth({ suspended, figures }: Props) {
  if (suspended) return <Status tone="bad">Suspended</Status>;
  if (figures.calls.count === 0)
    return <Status tone="neutral">{figures.users.count === 0 ? "Not used yet" : "Quiet"}</Status>;
  if (figures.errors / figures.calls.count > tooManyErrors) return <Status tone="warn">Many errors</Status>;
  return <Status tone="good">Healthy</Status>;
}
