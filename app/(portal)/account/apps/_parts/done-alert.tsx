import type { SearchParams } from "#app/_lib/search-params";
import { FormNotice } from "#app/_parts/form-notice.tsx";

const done = {
  paused: "The application is paused. Its calls are refused until you resume it.",
  resumed: "The application is resumed, with the same permissions as before.",
  narrowed: "Permissions saved. What you removed no longer works on any device.",
  revoked: "Access revoked. Its tokens no longer work.",
};
const wrong = { gone: "Nothing changed: the application's access had already ended." };

/** What the form of a connected application did that led here. */
export const DoneAlert = ({ searchParams }: { searchParams: SearchParams }) => (
  <FormNotice searchParams={searchParams} done={done} wrong={wrong} />
);
