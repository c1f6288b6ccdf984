import type { Subject } from "./model/features";
import type { KnownPlayer } from "./store";

const dayMilliseconds = 86_400_000;

/** A stored player as the model sees them, in training and in use alike. Their age is as of when the counters were read. */
export const subjectOf = ({ level, signedUp, counters, statsAt }: KnownPlayer): Subject => ({
  level,
  counters,
  ageDays: signedUp && (statsAt.getTime() - signedUp.getTime()) / dayMilliseconds,
});
