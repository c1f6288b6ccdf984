interface Advice {
  /** What leads to it. */
  readonly why: string;
  /** What a developer does about it. */
  readonly todo: string;
}

/** What the catalogue's one sentence leaves out, by code. */
export const errorAdvice: ReadonlyMap<number, Advice> = new Map([
  [
    0,
    { why: "Nothing finer describes it.", todo: "Read the message. If it does not help, report the `X-Request-Id`." },
  ],
  [
    1000,
    {
      why: "A parameter or a field of the body is missing, malformed, repeated or unknown.",
      todo: "`details.errors` lists every bad field with what is wrong with it. Mend all of them and send again.",
    },
  ],
  [
    1001,
    {
      why: "The player's faction has not linked a chat server here.",
      todo: "A leader of the faction links one. Until then leave the feature out for these players.",
    },
  ],
  [
    1100,
    {
      why: "No player of this number is known here: nobody has looked at them yet, or they do not exist.",
      todo: "Check the number. With `service_key:usage`, ask again with `refresh=true`.",
    },
  ],
  [
    1102,
    {
      why: "No faction of this number is known here, or the player is in none.",
      todo: "Check the number; for calls on the own faction, ask `GET /user` whether the player has one.",
    },
  ],
  [1103, { why: "The faction has no position of this name or number.", todo: "Read the faction's positions anew." }],
  [1105, { why: "No organized crime of this number is known.", todo: "Check the number; old crimes are not kept." }],
  [
    1200,
    {
      why: "The call needs the game to be asked, and no key of the player works at the moment.",
      todo: "Ask the player to sign in here with a new game key.",
    },
  ],
  [
    1201,
    {
      why: "The call needs a key that may read the faction's data, and no member's key does.",
      todo: "A member with faction access signs in here with a key of at least limited access.",
    },
  ],
  [
    1500,
    { why: "The application was deleted, or never existed.", todo: "Check the client id under Your applications." },
  ],
  [
    1600,
    {
      why: "No vault request of this number or guid exists in the player's faction.",
      todo: "List the requests again; it may have been made in another faction.",
    },
  ],
  [
    1601,
    {
      why: "Somebody was faster: the request is fulfilled or cancelled.",
      todo: "Read it again, and do not repeat the call.",
    },
  ],
  [
    1602,
    {
      why: "The balance, less what other pending requests already claim, is smaller than the amount.",
      todo: "Read the balance and ask for less, or cancel another request.",
    },
  ],
  [
    1603,
    { why: "The chat server is linked, but banking is not set up there.", todo: "A leader of the faction sets it up." },
  ],
  [
    1604,
    {
      why: "Targets are chosen by the player's own stats, and none are stored.",
      todo: "Ask the player to sign in here with a key that may read their stats.",
    },
  ],
  [
    1605,
    { why: "Nothing is known of this player's stats, or nothing that the caller may see.", todo: "Try again later." },
  ],
  [
    1700,
    {
      why: "The `Idempotency-Key` was used for a call with another body, or the first call has not ended.",
      todo: "Use a new key for a new call. For a repeated one wait a moment and send it again unchanged.",
    },
  ],
  [
    4000,
    {
      why: "The window of this minute is used up. `details.policy` says which one.",
      todo: "Wait as many seconds as `Retry-After` says. Spread calls by the `X-RateLimit` headers instead of running into it.",
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
      todo: "`details.missing` names it. Register the application for it and ask the player again with it.",
    },
  ],
  [
    4007,
    {
      why: "The player's position in the faction does not allow handling the vault.",
      todo: "Offer the call to bankers only; positions may change at any time.",
    },
  ],
  [4008, { why: "The player paused the application.", todo: "Stop calling for this player until they resume it." }],
  [
    4009,
    { why: "The application is suspended for all players.", todo: "Its owner finds out why under Your applications." },
  ],
  [
    4010,
    {
      why: "The path is not one of the API: a typo, a trailing or doubled slash, capitals, or an id that is no number.",
      todo: "Compare it with the list of endpoints, letter for letter.",
    },
  ],
  [4011, { why: "The path exists, but not with this method.", todo: "The `Allow` header names the methods." }],
  [4012, { why: "The `Accept` header leaves out JSON.", todo: "Send `Accept: application/json`, or none." }],
  [4013, { why: "The body is not declared as JSON.", todo: "Send `Content-Type: application/json`." }],
  [4014, { why: "The body is larger than the endpoint takes.", todo: "Send less at a time." }],
  [
    4021,
    {
      why: "A chat server is linked, but it does not list the faction.",
      todo: "An owner of the server adds the faction.",
    },
  ],
  [
    4022,
    {
      why: "The data belongs to another faction than the player's.",
      todo: "Ask with the number of the player's own faction.",
    },
  ],
  [
    4100,
    {
      why: "The game refused what we asked of it. `details.game_code` is its own code.",
      todo: "Often the key may read too little, or is paused. Repeating at once will not help.",
    },
  ],
  [
    4101,
    {
      why: "The game is down, or too slow.",
      todo: "Try again after `Retry-After`, or in a minute. What does not need the game still works.",
    },
  ],
  [
    5000,
    {
      why: "A fault of ours. Nothing of the call was kept half-done.",
      todo: "Try once more; if it stays, report the `X-Request-Id`.",
    },
  ],
  [5003, { why: "Our database or another part cannot be reached.", todo: "Try again after `Retry-After`." }],
]);
