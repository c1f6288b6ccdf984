import type { ServerResponse } from "node:http";
import type { z } from "zod";
import type { TokenHolder } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Authentication, Context } from "#server/context";
import type { FailureKind } from "#server/failures";
import type { Rates } from "#server/platform/environment-variables";
import type { ScopeName } from "#server/scopes";
import type { PathParams } from "./path";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The arguments of a handler: parsed input and a known caller. */
export interface Call<Path extends string, Query, Body> {
  readonly ctx: Context;
  readonly actor: TokenHolder;
  readonly params: PathParams<Path>;
  readonly query: Query;
  readonly body: Body;
  readonly origin: Origin;
  /** The actor's record, where it was read with the token; otherwise the handler reads it. */
  readonly player: Authentication["player"];
  /** For an answer that waits or goes on: its token is asked for again, and its signal says that the caller has left. */
  readonly request: Request;
}

/** Writes an answer that goes on until one side ends it. Its head is sent already. */
export type OpenStream = (response: ServerResponse) => void;

/** A limit of the endpoint's own, which a call charges besides the holder's. */
export interface EndpointLimit {
  /** As it appears in `details.policy`. */
  readonly policy: string;
  /** Calls a clock minute of one account through one application. */
  readonly limit: number;
  /** The setting that may say otherwise. */
  readonly setting?: keyof Rates;
}

export const limitIn = ({ limit, setting }: EndpointLimit, rates: Rates): number =>
  setting === undefined ? limit : rates[setting];

/**
 * For how long one answer serves every caller. Only for answers that do not depend on who asks: the serialised
 * answer is kept in the process, by parameters, and `Cache-Control` says how many seconds are left.
 */
export type EndpointCache = { readonly seconds: number } | { readonly until: (now: Date) => Date };

/** The endpoint goes away (RFC 9745, RFC 8594). */
export interface Deprecation {
  readonly since: Date;
  readonly sunset: Date;
  /** The page that says what to use instead; a path below the base URL. */
  readonly link: string;
}

/** Everything that the outside world may know about an endpoint, and how it answers. */
export interface EndpointSpec<
  Path extends string,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Returns extends z.ZodType,
> {
  readonly method: Method;
  /** Below `/api/v1`, in the specification's notation: `/faction/<int:faction_id>/members`. */
  readonly path: Path;
  /** Another path that answers in the same way; it has the same parameters. */
  readonly alias?: string;
  readonly title: string;
  readonly description: string;
  /** The section of the reference that it belongs to. */
  readonly tag: string;
  readonly scopes: readonly ScopeName[];
  /** A z.object of text fields (see the query shapes). What it does not declare is ignored. */
  readonly query?: Query;
  /** Parsed from JSON with exact integers; an absent body is `undefined`. */
  readonly body?: Body;
  /** The record; what it does not declare is stripped. Without it the answer is 204. */
  readonly returns?: Returns;
  /** Failures of this endpoint beyond those that every call can have. */
  readonly fails: readonly FailureKind[];
  /** Its answer to `Accept: text/event-stream`, where the mount can keep an answer open. */
  readonly stream?: {
    readonly description: string;
    readonly example: string;
    /** What it throws is answered as JSON. */
    open(call: Call<Path, z.output<Query>, z.output<Body>>): Promise<OpenStream>;
  };
  readonly limit?: EndpointLimit;
  readonly cache?: EndpointCache;
  /**
   * The answer depends on the player who asks and on the address, on nothing else, and no call of the API changes it: where
   * tokens are remembered, it may be said again to the same player for the same 800 ms. No rule decides on it.
   */
  readonly cachePerPlayer?: boolean;
  /** Whether the answer carries an ETag and `If-None-Match` is honoured; for lists that are polled. */
  readonly etag?: boolean;
  /** Whether `Idempotency-Key` is honoured. */
  readonly idempotent?: boolean;
  readonly deprecated?: Deprecation;
  /** A method, not a property: its parameter is checked loosely, so that a list of unlike endpoints has a type. */
  handle(
    call: Call<Path, z.output<Query>, z.output<Body>>,
  ):
    | Promise<z.output<Returns> | Reply<z.output<Returns>>>
    | z.output<Returns>
    | Reply<z.output<Returns>>;
}

/** Any endpoint, as dispatch and the folds over the route table see it. */
export type Endpoint = EndpointSpec<string, z.ZodType, z.ZodType, z.ZodType>;

/** Declares an endpoint. Its parameters, query, body and record are typed by what is written here. */
export const endpoint = <
  const Path extends string,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Returns extends z.ZodType = z.ZodVoid,
>(
  spec: EndpointSpec<Path, Query, Body, Returns>,
): EndpointSpec<Path, Query, Body, Returns> => spec;

const brand = Symbol.for("adjutant.reply");

/** The status and headers of an answer, beside its record. */
export interface ReplyHeaders {
  /** Until when the record is good; shortens what the endpoint's `cache` allows. */
  readonly freshUntil?: Date;
  /** Query parameters of the next page, set over those of this call; sent as `Link: …; rel="next"`. */
  readonly next?: Readonly<Record<string, string | number>>;
}

/** A record with notes. An endpoint without any returns the bare record. */
export interface Reply<Returned> {
  readonly record: Returned;
  readonly notes: ReplyHeaders;
}

/** Wraps a record that has something to say beside itself. */
export const reply = <Returned>(record: Returned, notes: ReplyHeaders): Reply<Returned> =>
  Object.assign({ record, notes }, { [brand]: true });

export const isReply = (value: unknown): value is Reply<unknown> =>
  typeof value === "object" && value !== null && brand in value;
