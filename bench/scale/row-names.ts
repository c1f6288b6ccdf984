/*
 * Ids of the filled rows, as SQL of the player's or the application's number: what belongs together is found without a join.
 */

/** Of the form that random ones have (RFC 9562, version 4). */
export const uuid = (text: string): string =>
  `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`;

export const account = (player: string): string => uuid(`'account ' || ${player}`);
export const key = (player: string): string => uuid(`'key ' || ${player}`);
export const consent = (player: string): string => uuid(`'consent ' || ${player}`);
export const grant = (player: string): string => uuid(`'grant ' || ${player}`);
export const client = (application: string): string => `md5('application ' || ${application})`;
/** As long and as scattered as the hashes that the product stores. */
export const hash = (text: string): string =>
  `left(encode(sha256((${text})::bytea), 'base64'), 43)`;
