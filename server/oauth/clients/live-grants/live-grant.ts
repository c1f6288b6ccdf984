import type { CappedCount } from "#server/platform/paging";
import type { ScopeName } from "#server/scopes";

/** An approved device as its developer sees it: the player's name, no token. */
export interface LiveGrant {
  readonly id: string;
  readonly at: Date;
  readonly player: { readonly id: number; readonly name: string };
  readonly scopes: readonly ScopeName[];
  /** The later of the player's last call and the last token issued here. */
  readonly lastUsed: Date | null;
  readonly tokens: number;
  readonly paused: boolean;
}

export interface GrantCounts {
  readonly players: CappedCount;
  readonly grants: CappedCount;
  readonly tokens: CappedCount;
}
