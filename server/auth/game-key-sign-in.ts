import type { Origin } from "#server/audit/audit";
import type { Browser } from "./sessions";

export interface GameKeySignIn {
  readonly gameKey: string;
  readonly browser: Browser;
  /** The token of the session that the browser had so far; it ends. */
  readonly previousSession: string | null;
  readonly origin: Origin;
}
