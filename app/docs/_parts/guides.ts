/** A section of a page: its id, and its words in the outline. */
export type OutlineEntry = readonly [id: string, title: string];

interface Guide {
  readonly title: string;
  readonly outline: readonly OutlineEntry[];
}

/** The pages that explain, by their addresses, with their sections. Their outlines and the search are made from it. */
export const guides = {
  "/docs": {
    title: "First steps",
    outline: [
      ["three-commands", "Three commands"],
      ["good-to-know", "Good to know"],
    ],
  },
  "/docs/oauth": {
    title: "OAuth guide",
    outline: [
      ["flow", "The flow"],
      ["kinds", "Two kinds of application"],
      ["authorize", "Ask"],
      ["return", "Come back"],
      ["localhost", "Working on localhost"],
      ["scopes", "Scopes"],
      ["exchange", "Exchange"],
      ["call", "Call"],
      ["refresh", "Refresh"],
      ["retries", "Retries"],
      ["revoke", "Revoke"],
      ["introspect", "Introspect"],
      ["errors", "Errors at your redirect URI"],
      ["token-errors", "Errors of token"],
      ["limits", "Limits"],
      ["libraries", "With your library"],
      ["basic", "Secret in the body"],
    ],
  },
  "/docs/scopes": { title: "Scopes", outline: [] },
  "/docs/limits": {
    title: "Limits",
    outline: [
      ["rates", "Calls"],
      ["lifetimes", "Lifetimes"],
      ["sizes", "Sizes"],
    ],
  },
  "/docs/versioning": {
    title: "Versioning",
    outline: [
      ["promise", "What v1 promises"],
      ["grows", "What may be added"],
      ["goes", "How something goes away"],
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
      ["receive", "Receive and verify"],
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
      ["rights", "Who may do what"],
      ["a-payment", "A payment"],
      ["hits-and-crimes", "Hits and crimes"],
      ["commands", "In the chat"],
    ],
  },
  "/docs/changelog": { title: "Changelog", outline: [] },
} as const satisfies Readonly<Record<string, Guide>>;
