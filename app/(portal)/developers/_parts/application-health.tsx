import { Status } from "#ui/status";

type Props = { suspended: boolean; figures: { users: number; calls: number; errors: number } };

/** More errors than this share of the calls need somebody's eyes. */
const tooManyErrors = 0.05;

/** How an application does, in a word. */
export function ApplicationHealth({ suspended, figures }: Props) {
  if (suspended) return <Status tone="bad">Suspended</Status>;
  if (figures.calls === 0) return <Status tone="neutral">{figures.users === 0 ? "Not used yet" : "Quiet"}</Status>;
  if (figures.errors / figures.calls > tooManyErrors) return <Status tone="warn">Many errors</Status>;
  return <Status tone="good">Healthy</Status>;
}
