import { type SignInRefused, signInRefusals, signInRefused } from "./sign-in-refused";

/** The refusal of a banned account's sign-in. It is said to whoever proved that the account is theirs, with the admin's reason. */
export const bannedRefusal = (reason: string | null): SignInRefused =>
  signInRefused("banned", reason === null ? {} : { message: `${signInRefusals.banned} The reason given: ${reason}` });
