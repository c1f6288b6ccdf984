import type { z } from "zod";
import type { TokenHolder } from "../actor";
import type { Context } from "../context";
import { weekMs } from "../platform/time";
import type { ScopeName } from "../scopes";

/** Events are kept for so long. */
export const eventsKept = weekMs;

/** Names of types, those of later releases too (Standard Webhooks 1.0.0, "Payload structure"). */
export const eventTypeName = /^[a-z0-9_]+(\.[a-z0-9_]+)*$/;

/** A type of event as the outside sees it: its name, who may read it, its data, and words for the reference. */
export interface EventSpec<Data extends z.ZodObject> {
  /** `noun.happened`; never reused with another meaning. */
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** The events in a player's words: "retaliations (opened, closed)". Types of one noun share them. */
  readonly told: string;
  /** The section of the reference that it belongs to. */
  readonly tag: string;
  /** The scope that covers it. Null: every application is told, or the one whose grant it is. */
  readonly scope: ScopeName | null;
  /** The noun of the record that changed, as the API calls it. */
  readonly subject: string;
  /** Fields of the record that this happening changes, where it always changes the same. */
  readonly changed: readonly string[];
  /** The data beyond ids. */
  readonly data: Data;
  /** An example of its own data, and of the id of its subject. */
  readonly example: { readonly subject: string; readonly data: z.input<Data> };
  /** The path of the record below the API, for the faction and the id of the event. */
  readonly href?: (of: {
    readonly factionId: number | null;
    readonly subject: string;
    /** Whether the record is the reader's own. */
    readonly own: boolean;
  }) => string;
  /** The record as the REST route shows it to this reader at this moment; null where the reader finds none there any more. */
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

/** Any type of event, as the folds over the list see it. */
export type EventType = EventSpec<z.ZodObject>;

/** Declares a type of event. */
export const eventType = <Data extends z.ZodObject>(spec: EventSpec<Data>): EventSpec<Data> => spec;

/** Something that happened, as the transaction that did it says it. Ids alone: who reads it reads the record. */
export interface NewEvent<Data extends z.ZodObject = z.ZodObject> {
  readonly type: EventSpec<Data>;
  /** The id of the record that changed, as the API writes it. */
  readonly subject: string | number;
  /** The faction whose members are told. */
  readonly factionId?: number;
  /** The member whose record it is: besides that player only bankers of the faction are told. Of a grant: who gave it. */
  readonly playerId?: number;
  /** Of a grant: the application that is told, whatever became of the consent, and the grant. */
  readonly clientId?: string;
  readonly grantId?: string;
  readonly data?: z.input<Data>;
}
