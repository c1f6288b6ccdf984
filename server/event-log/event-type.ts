import type { z } from "zod";
import type { TokenHolder } from "../actor";
import type { Context } from "../context";
import { weekMs } from "../platform/time";
import type { ScopeName } from "../scopes";

export const eventsKept = weekMs;

/** Also matches types of later releases (Standard Webhooks 1.0.0, "Payload structure"). */
export const eventTypeName = /^[a-z0-9_]+(\.[a-z0-9_]+)*$/;

/** The public description of an event type. */
export interface EventSpec<Data extends z.ZodObject> {
  /** `noun.happened`; never reused with another meaning. */
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** For players: "retaliations (opened, closed)". Types of one noun share it. */
  readonly told: string;
  readonly tag: string;
  /** Null: for all applications, or for the grant's own. */
  readonly scope: ScopeName | null;
  /** The record's noun in the API. */
  readonly subject: string;
  /** Fields that always change with this event. */
  readonly changed: readonly string[];
  /** In addition to ids. */
  readonly data: Data;
  /** Its own data and the subject's id. */
  readonly example: { readonly subject: string; readonly data: z.input<Data> };
  /** Path of the record below the API. */
  readonly href?: (of: {
    readonly factionId: number | null;
    readonly subject: string;
    /** True if the record is the reader's own. */
    readonly own: boolean;
  }) => string;
  /** The record as the REST route shows it to this reader now; null if not found. */
  readonly record?: EventRecord;
}

export interface EventRecord {
  readonly schema: z.ZodType;
  find(
    ctx: Context,
    of: {
      readonly actor: Pick<TokenHolder, "playerId">;
      readonly factionId: number | null;
      readonly playerId: number | null;
      readonly subject: string;
    },
  ): Promise<unknown>;
}

export type EventType = EventSpec<z.ZodObject>;

export const eventType = <Data extends z.ZodObject>(spec: EventSpec<Data>): EventSpec<Data> => spec;

/** Contains only ids; readers load the record. */
export interface NewEvent<Data extends z.ZodObject = z.ZodObject> {
  readonly type: EventSpec<Data>;
  /** The record's id as in the API. */
  readonly subject: string | number;
  /** The readers' faction. */
  readonly factionId?: number;
  /**
   * The record's owner, besides bankers the only reader in the faction. For a grant, its player.
   */
  readonly playerId?: number;
  /** For a grant, its application, which may read it even after the consent ended. */
  readonly clientId?: string;
  readonly grantId?: string;
  readonly data?: z.input<Data>;
}
