const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text has the form of a row's id. PostgreSQL raises an error when asked for anything else. */
export const isUuid = (text: string): boolean => form.test(text);
