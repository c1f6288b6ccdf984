/** Hidden form field with the session's token. */
export const csrfField = "csrf";

/** Meta element with the session's token for scripts. */
export const csrfMeta = "csrf-token";
