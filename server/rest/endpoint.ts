import type { ServerResponse } from "node:http";
import type { z } from "zod";
import type { TokenActor } from "#server/actor";
import type { Authentication, Context } from "#server/context";
import type { FailureKind } from "#server/failures";
import type { RateLimits } from "#server/platform/environment-variables";
import type { ScopeName } from "#server/scopes";

type Param<Segment extends string> = Segment extends `<int:${infer Name}>`
  ? { readonly [Key in Name]: number }
  : Segment extends `<${infer Name}>`
    ? { readonly [Key in Name]: string }
    : unknown;

/** `/faction/<int:faction_id>/<name>` gives `faction_id: number` and `name: string`. */
export type PathParams<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? Param<Segment> & PathParams<Rest>
  : Param<Path>;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Call<Path extends string, Query, Body> {
  readonly ctx: Context;
  readonly by: TokenActor;
  readonly params: PathParams<Path>;
  readonly query: Query;
  readonly body: Body;
  readonly player: Authentication["player"];
  /** For long polls and streams. */
  readonly request: Request;
}

export type StreamOpener = (response: ServerResponse) => void;

interface EndpointLimit {
  readonly policy: string;
  /** Holds the calls per clock minute, for an account and application. */
  readonly setting: keyof RateLimits;
}

/** Only for answers that are the same for all callers. */
type EndpointCache = { readonly seconds: number } | { readonly until: (now: Date) => Date };

export interface Deprecation {
  readonly since: Date;
  readonly sunset: Date;
  readonly link: string;
}

export interface EndpointSpec<
  Path extends string,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Returns extends z.ZodType,
> {
  readonly method: Method;
  /** Below `/api/v1`: `/faction/<int:faction_id>/members`. */
  readonly path: Path;
  readonly alias?: string;
  readonly title: string;
  /** What the application did, in the player's words: "Read your profile". */
  readonly did: string;
  readonly description: string;
  readonly tag: string;
  readonly scopes: readonly ScopeName[];
  /** Fields are text. Undeclared fields are ignored. */
  readonly query?: Query;
  /** Parsed from JSON with exact integers. */
  readonly body?: Body;
  /** Undeclared fields are stripped. Without a schema the answer is 204. */
  readonly returns?: Returns;
  readonly fails: readonly FailureKind[];
  /** Answers `Accept: text/event-stream`. */
  readonly stream?: {
    readonly description: string;
    readonly example: string;
    open(call: Call<Path, z.output<Query>, z.output<Body>>): Promise<StreamOpener>;
  };
  readonly limit?: EndpointLimit;
  readonly cache?: EndpointCache;
  readonly etag?: boolean;
  readonly idempotent?: boolean;
  readonly deprecated?: Deprecation;
  /** A method, because its bivariant parameters allow a list of different endpoints. */
  handle(
    call: Call<Path, z.output<Query>, z.output<Body>>,
  ):
    | Promise<z.output<Returns> | Reply<z.output<Returns>>>
    | z.output<Returns>
    | Reply<z.output<Returns>>;
}

export type Endpoint = EndpointSpec<string, z.ZodType, z.ZodType, z.ZodType>;

export const defineEndpoint = <
  const Path extends string,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Returns extends z.ZodType = z.ZodVoid,
>(
  spec: EndpointSpec<Path, Query, Body, Returns>,
): EndpointSpec<Path, Query, Body, Returns> => spec;

const brand = Symbol.for("adjutant.reply");

export interface ReplyHeaders {
  readonly freshUntil?: Date;
  /** Query of the next page, merged into this call's; sent as `Link: …; rel="next"`. */
  readonly next?: Readonly<Record<string, string | number>>;
}

export interface Reply<Returned> {
  readonly record: Returned;
  readonly notes: ReplyHeaders;
}

export const reply = <Returned>(record: Returned, notes: ReplyHeaders): Reply<Returned> =>
  Object.assign({ record, notes }, { [brand]: true });

export const isReply = (value: unknown): value is Reply<unknown> =>
  typeof value === "object" && value !== null && brand in value;
