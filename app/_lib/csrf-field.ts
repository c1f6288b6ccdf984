/** The name of the hidden form field that carries the session's token. */
export const csrfField = "csrf";
