import type { CappedCount } from "#server/platform/paging";
import type { ScopeName } from "#server/scopes";

/** A device on which a player approved the application, as its developer sees it: no token, and of the player the name. */
export interface LiveGrant {
  readonly id: string;
  /** When the player approved. */
  readonly at: Date;
  readonly player: { readonly id: number; readonly name: string };
  /** The scopes that the grant still opens. */
  readonly scopes: readonly ScopeName[];
  /** The player's last call through the application, or the last token issued here, whichever is later. */
  readonly lastUsed: Date | null;
  /** Live access tokens. */
  readonly tokens: number;
  readonly paused: boolean;
}

/** The players, grants and tokens that ending all grants would cut. */
export interface GrantCounts {
  readonly players: CappedCount;
  readonly grants: CappedCount;
  /** Live access tokens. */
  readonly tokens: CappedCount;
}
