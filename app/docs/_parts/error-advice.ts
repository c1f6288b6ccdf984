interface Advice {
  /** Cause. */
  readonly why: string;
  /** Remedy. */
  readonly todo: string;
}

/** Beyond the catalogue's one sentence, by code. */
export const errorAdvice: ReadonlyMap<number, Advice> = new Map([
  [
    0,
    {
      why: "No other error describes it.",
      todo: "Read the message. If it does not help, report the `X-Request-Id`.",
    },
  ],
  [
    1000,
    {
      why: "A parameter or a field of the body is missing, malformed, repeated or unknown.",
      todo: "`details.errors` lists every bad field with what is wrong with it. Correct all of them and send again.",
    },
  ],
  [
    1001,
    {
      why: "The player's faction has not chosen a chat server, or the bot left it. Vault requests are shown there, so without one nobody would see them.",
      todo: "A leader, or a member with faction API access, chooses one under Chat server. Until then hide the feature for these players.",
    },
  ],
  [
    1100,
    {
      why: "We don't know a player with this ID: nobody has looked them up yet, or they do not exist.",
      todo: "Check the ID. With `service_key:usage`, ask again with `refresh=true`.",
    },
  ],
  [
    1102,
    {
      why: "We don't know a faction with this ID, or the player is in none.",
      todo: "Check the ID; for calls about the player's own faction, read `factiontid` from `GET /user` first.",
    },
  ],
  [
    1103,
    {
      why: "The faction's positions have not been read yet, or none has this name.",
      todo: "Try again in an hour. They can be read only with the key of a member who has faction API access.",
    },
  ],
  [
    1105,
    {
      why: "No organized crime of this number is known.",
      todo: "Check the number. Crimes are listed once they were read from the game; a faction that still has the old kind of crimes has none here.",
    },
  ],
  [
    1200,
    {
      why: "The call reads from the game, and no key of the player works now: none is stored, or it is paused, or was deleted in the game.",
      todo: "Ask the player to sign in here with a key that works. Repeating the call does not help before that.",
    },
  ],
  [
    1201,
    {
      why: "The call reads private data of the faction, and no member's key may: nobody with faction API access has signed in here with a key of at least limited access.",
      todo: "Such a member signs in here once. Nothing that the application does can replace it.",
    },
  ],
  [
    1500,
    {
      why: "The application was deleted, or never existed.",
      todo: "Check the client id under Applications.",
    },
  ],
  [
    1600,
    {
      why: "No vault request of this number or guid exists in the player's faction. One of another faction looks the same.",
      todo: "List the requests again; it may have been made in a faction that the player has left.",
    },
  ],
  [
    1601,
    {
      why: "The request was already paid or cancelled, or it has expired.",
      todo: "List the requests with `search_type=all` to see its state. Do not repeat the call.",
    },
  ],
  [
    1602,
    {
      why: "The balance in the vault, less what other waiting requests already claim, is smaller than the amount. For `all` it is not above zero, or a request of that kind waits already.",
      todo: "Read the balance, and ask for less or cancel another request.",
    },
  ],
  [
    1603,
    {
      why: "The chat server is linked, but no channel for requests is chosen there.",
      todo: "An administrator of the chat server chooses one under Chat servers.",
    },
  ],
  [
    1604,
    {
      why: "Targets are chosen by the player's own strength, and no stat score of theirs is stored.",
      todo: "The player signs in here with a key of at least limited access, or a member with faction API access imports the faction's scores.",
    },
  ],
  [
    1605,
    {
      why: "There is no score of this player that the caller may see; for an estimate, their public counters were never read, or there is no model yet.",
      todo: "For an estimate, ask again with a token that has `service_key:usage`: then the counters are read. Otherwise try another day.",
    },
  ],
  [
    1700,
    {
      why: "The `Idempotency-Key` was used for a call with another body or path, or the first call has not ended.",
      todo: "Use a new key for a new call. For a repeated one wait a moment and send it again unchanged; the first answer comes back.",
    },
  ],
  [
    4000,
    {
      why: "A limit for this minute is used up. `details.policy` names it.",
      todo: "Wait as many seconds as `Retry-After` says. Pace your calls by the `X-RateLimit` headers to avoid it.",
    },
  ],
  [
    4001,
    {
      why: "The call has no `Authorization` header.",
      todo: "Send `Authorization: Bearer <ACCESS_TOKEN>`. Endpoints without scopes need a token too.",
    },
  ],
  [
    4002,
    {
      why: "The token expired, was revoked by the player, replaced by a refresh, or is not one of ours.",
      todo: "Refresh it once. If that is refused too, send the player through the authorization again.",
    },
  ],
  [
    4003,
    {
      why: "Another scheme than Bearer was used, such as Basic.",
      todo: "Basic is for `/oauth/token`; calls use Bearer.",
    },
  ],
  [
    4004,
    {
      why: "The token was not granted a scope that the endpoint needs.",
      todo: "`details.missing` names it. Add it in Settings, then send the player through consent again.",
    },
  ],
  [
    4007,
    {
      why: "The player's position in the faction does not allow handling the vault: it gives neither money nor points and adjusts no balances.",
      todo: "Offer the call to bankers only; positions may change at any time.",
    },
  ],
  [
    4008,
    {
      why: "The player paused the application.",
      todo: "Stop calling for this player until they resume it.",
    },
  ],
  [
    4009,
    {
      why: "The application is suspended for all players.",
      todo: "Its owner sees the reason under Applications.",
    },
  ],
  [
    4010,
    {
      why: "The path does not exist: a typo, a trailing or double slash, capitals, or an ID that is not a number.",
      todo: "Compare it with the list of endpoints.",
    },
  ],
  [
    4011,
    {
      why: "The path exists, but not with this method.",
      todo: "The `Allow` header names the methods.",
    },
  ],
  [
    4012,
    {
      why: "The `Accept` header does not allow JSON.",
      todo: "Send `Accept: application/json`, or none.",
    },
  ],
  [
    4013,
    { why: "The `Content-Type` is not JSON.", todo: "Send `Content-Type: application/json`." },
  ],
  [4014, { why: "The body is larger than the endpoint takes.", todo: "Send less at a time." }],
  [
    4021,
    {
      why: "The faction chose a chat server, but that server has not added the faction.",
      todo: "An administrator of the server adds it under Chat servers. Both sides must agree.",
    },
  ],
  [
    4022,
    {
      why: "The data belongs to another faction than the one that the player is in now.",
      todo: "Use `factiontid` from `GET /user`. After a change of faction, the old faction's data is closed at once.",
    },
  ],
  [
    4100,
    {
      why: `The game refused our request. \`details.game_code\` is its own code, if it gave one.`,
      todo: "Often the key may read too little, or is paused. Repeating at once will not help.",
    },
  ],
  [
    4101,
    {
      why: `The game is down or too slow. With \`details.reason\` it is there, but a limit is reached: \`key_budget\` (the key's calls of this minute), \`read_limit\` (what a key may read in a day), \`key_changed\` (a key that was just changed) or \`address_budget\` (all calls of this service).`,
      todo: `Try again after \`Retry-After\`, or in a minute. Calls that do not need the game still work.`,
    },
  ],
  [
    5000,
    {
      why: "An error on our side. Nothing was half done.",
      todo: "Try once more; if it persists, report the `X-Request-Id`.",
    },
  ],
  [
    5003,
    {
      why: "Our database or another part cannot be reached.",
      todo: "Try again after `Retry-After`.",
    },
  ],
]);
