import type { z } from "zod";
import type { TokenHolder } from "../actor";
import type { Context } from "../context";
import { weekMs } from "../platform/time";
import type { ScopeName } from "../scopes";

export const eventRetentionMs = weekMs;

/** Also matches types of later releases (Standard Webhooks 1.0.0, "Payload structure"). */
export const eventTypePattern = /^[a-z0-9_]+(\.[a-z0-9_]+)*$/;

interface EventSpec<Data extends z.ZodObject> {
  /** `noun.happened`; never reused with another meaning. */
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** Words for players, such as "retaliations (opened, closed)", shared by types of one noun. */
  readonly told: string;
  readonly tag: string;
  readonly scope: ScopeName | null;
  readonly subject: string;
  readonly changed: readonly string[];
  readonly data: Data;
  readonly example: { readonly subject: string; readonly data: z.input<Data> };
  readonly href?: (of: {
    readonly factionId: number | null;
    readonly subject: string;
    readonly own: boolean;
  }) => string;
  /** Finds the record as the REST route shows it to this reader now; null if not found. */
  readonly record?: SubjectRecordSource;
}

export interface SubjectRecordSource {
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

export const defineEventType = <Data extends z.ZodObject>(spec: EventSpec<Data>): EventSpec<Data> =>
  spec;

/** An event holds ids only; readers load the record. */
export interface NewEvent<Data extends z.ZodObject = z.ZodObject> {
  readonly type: EventSpec<Data>;
  readonly subject: string | number;
  readonly factionId?: number;
  /**
   * The record's owner. In a faction, bankers read the event too; without faction and application,
   * only the webhook of the player's account gets the event.
   */
  readonly playerId?: number;
  /** The application of a grant, which may read the event even after the consent ended. */
  readonly clientId?: string;
  readonly grantId?: string;
  readonly data?: z.input<Data>;
}
