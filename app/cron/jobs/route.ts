import { mount } from "#app/_lib/mount";

export const dynamic = "force-dynamic";
/** Seconds. Allows CRON_SECONDS, and the work in progress at their end. */
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
