/** Id, title, and search words. */
export type OutlineEntry = readonly [id: string, title: string, words?: string];

interface Guide {
  readonly title: string;
  readonly outline: readonly OutlineEntry[];
}

/** Guides by address with their sections; outlines and search derive from it. */
export const guides = {
  "/docs": {
    title: "First steps",
    outline: [
      ["three-commands", "Three commands", "curl first call access token"],
      ["good-to-know", "Good to know"],
    ],
  },
  "/docs/oauth": {
    title: "OAuth guide",
    outline: [
      ["flow", "The flow", "authorization code PKCE sign in consent"],
      ["kinds", "Two kinds of application", "public confidential userscript server client secret"],
      ["authorize", "Ask", "authorization URL PKCE code challenge state prompt scope redirect"],
      ["return", "Come back", "callback redirect URI code state iss"],
      ["localhost", "Working on localhost", "http development hosted callback"],
      ["scopes", "Scopes"],
      ["exchange", "Exchange", "authorization code access token PKCE verifier"],
      ["call", "Call", "access token bearer Authorization header"],
      ["refresh", "Refresh", "refresh token rotation expired reuse"],
      ["retries", "Retries"],
      ["revoke", "Revoke", "revocation end token sign out"],
      ["introspect", "Introspect", "introspection token active"],
      ["errors", "Errors at your redirect URI"],
      ["token-errors", "Errors of token", "invalid_grant invalid_client error"],
      ["limits", "Limits", "slow_down"],
      ["libraries", "With your library"],
      ["basic", "Secret in the body"],
    ],
  },
  "/docs/scopes": { title: "Scopes", outline: [] },
  "/docs/limits": {
    title: "Limits",
    outline: [
      ["rates", "Calls", "rate limit 429 too many requests Retry-After RateLimit"],
      ["lifetimes", "Lifetimes", "access token refresh token expiry how long"],
      ["sizes", "Sizes"],
    ],
  },
  "/docs/versioning": {
    title: "Versioning",
    outline: [
      ["promise", "What v1 promises"],
      ["grows", "What may be added"],
      ["goes", "How something goes away", "deprecation sunset removal"],
      ["deprecated", "Deprecated now"],
      ["beside", "Beside the API"],
    ],
  },
  "/docs/api": { title: "Endpoints", outline: [] },
  "/docs/events": {
    title: "Events",
    outline: [
      ["ways", "Three ways"],
      ["types", "Types"],
      ["an-event", "An event"],
      ["promises", "What you can rely on"],
      ["consent", "Consent"],
      ["stream", "Read the stream"],
      ["list", "Read the list"],
    ],
  },
  "/docs/webhooks": {
    title: "Webhooks",
    outline: [
      ["set-up", "Set it up"],
      ["receive", "Receive and verify", "signature HMAC secret"],
      ["check", "Check your receiver"],
      ["answers", "What you answer"],
      ["advice", "Advice"],
      ["retries", "Retries"],
      ["consent", "Consent"],
      ["rotate", "Change the secret"],
      ["replay", "Send again"],
    ],
  },
  "/docs/errors": { title: "Errors", outline: [] },
  "/docs/estimates": {
    title: "Stat estimates",
    outline: [
      ["score", "What you get"],
      ["sources", "Where it comes from"],
      ["model", "The current model"],
    ],
  },
  "/docs/factions": {
    title: "For factions",
    outline: [
      ["set-up", "Set it up"],
      ["rights", "Who may do what", "leader banker member position faction API access"],
      ["a-payment", "A payment", "banker vault request money points pay"],
      ["hits-and-crimes", "Retaliations and OCs"],
      ["commands", "In the chat", "slash command bot server"],
    ],
  },
  "/docs/changelog": { title: "Changelog", outline: [] },
} as const satisfies Readonly<Record<string, Guide>>;
