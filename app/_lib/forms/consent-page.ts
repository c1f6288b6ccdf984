const list = "/account/apps";
const clientIdForm = /^[0-9a-f]{32}$/;

/** What is said on the page after an act: which one it was, or that there was nothing left to act on. */
export type ConsentActDone = "paused" | "resumed" | "narrowed" | "revoked" | "gone";

/**
 * Where a player goes on who acted on an application: to the page that they came from, with what was done.
 * @param clientId the application's, where it was its own page; anything else leads to the list of all
 */
export const consentPageAfter = (clientId: string | null, done: ConsentActDone): string =>
  `${clientId !== null && clientIdForm.test(clientId) ? `${list}/${clientId}` : list}?done=${done}`;
