import { ripeBy } from "#db/batches";
import { chatSignIns, secondSteps, sessions } from "#db/schema/accounts";
import { type Sweep, settled } from "#server/sweeper/sweep";
import { sweepByIndex } from "#server/sweeper/sweep-by-index";

/** What expired opens nothing; used or not, it goes when its time is over. */
export const authSweeps: readonly Sweep[] = [
  sweepByIndex("sessions", (moment) => ripeBy(sessions, sessions.expiresAt, settled(moment))),
  sweepByIndex("second_steps", (moment) => ripeBy(secondSteps, secondSteps.expiresAt, settled(moment))),
  sweepByIndex("chat_sign_ins", (moment) => ripeBy(chatSignIns, chatSignIns.expiresAt, settled(moment))),
];
