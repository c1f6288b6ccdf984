import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Browser } from "../sessions";

/** What the provider sent along with the browser (RFC 6749 sections 4.1.2 and 4.1.2.1). Anybody may have written it. */
export interface ChatAnswer {
  readonly state: string | null;
  readonly code: string | null;
  readonly error: string | null;
  readonly browserId: string | null;
  readonly browser: Browser;
  /** Who is signed in, and by which token. */
  readonly user: PortalUser | null;
  readonly previousSession: string | null;
  readonly origin: Origin;
}
