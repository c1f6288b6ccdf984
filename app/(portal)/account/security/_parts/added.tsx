import { Time } from "#app/_ui/time.tsx";
import { describeBrowser } from "#server/auth/describe-browser";
import type { Answers } from "#server/portal/router";

/** Where a confirmation returns to. */
export const here = "/account/security";

export type Passkey = Answers["passkeys"]["show"]["passkeys"][number];

export const Added = ({
  createdAt,
  address,
  userAgent,
}: Pick<Passkey, "createdAt" | "address" | "userAgent">) => (
  <>
    Added <Time at={createdAt} />, {describeBrowser(userAgent)}
    {address && `, ${address}`}
  </>
);
