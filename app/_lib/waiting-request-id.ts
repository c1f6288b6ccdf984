const requestForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of a parked authorization request that a form carries along, or undefined where it is none. */
export const waitingRequestId = (text: string | null): string | undefined =>
  text !== null && requestForm.test(text) ? text : undefined;
