import type { SearchParams } from "#app/_lib/search-params";
import { FormNotice } from "#app/_parts/form-notice.tsx";

const done = {
  verified: "Verified. Players see the mark when the application asks them for access.",
  unverified: "The application is no longer verified.",
  suspended: "Suspended. Its tokens no longer work.",
  resumed: "Resumed. Its tokens work again.",
  banned: "Banned. The account is signed out everywhere, and its tokens no longer work.",
  reset:
    "The second factor is off and the passkeys are removed. The player is signed out everywhere and signs in without it.",
  unbanned: "The ban is lifted. The player can sign in again.",
};
const wrong = {
  "no-reason":
    "Nothing was changed. Enter a reason of one line, at most 300 characters. The player or developer concerned will read it.",
  outdated:
    "Nothing was changed. The application changed since you opened its page. It is shown as it is now: read it, then decide.",
};

/** Says what the form that led here did, or that it was not filled in. */
export const Done = ({ searchParams }: { searchParams: SearchParams }) => (
  <FormNotice searchParams={searchParams} done={done} wrong={wrong} />
);
