/** The name of the hidden form field that carries the session's token. */
export const csrfField = "csrf";

/** The name of the meta element that holds the session's token for calls of the page's script. */
export const csrfMeta = "csrf-token";
