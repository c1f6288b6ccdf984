import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import type { RegisteredClient } from "../clients/client";
import type { Form } from "../form-body";
import { redeemCode } from "./authorization-code";
import type { TokenReply } from "./issue-tokens";
import { refreshTokens } from "./refresh-token";

/** Turns a token request of an authenticated client into tokens. */
export type Grant = (ctx: Context, client: RegisteredClient, form: Form, origin: Origin) => Promise<TokenReply>;

/** The grants by `grant_type`. A Map, because a name like `constructor` must find nothing. */
export const grants: ReadonlyMap<string, Grant> = new Map([
  ["authorization_code", redeemCode],
  ["refresh_token", refreshTokens],
]);
