import { mount } from "#app/_lib/mount";

export const dynamic = "force-dynamic";
/** Seconds: CRON_SECONDS, and time to finish the work in progress. */
export const maxDuration = 60;
export {
  mount as DELETE,
  mount as GET,
  mount as HEAD,
  mount as OPTIONS,
  mount as PATCH,
  mount as POST,
  mount as PUT,
};
