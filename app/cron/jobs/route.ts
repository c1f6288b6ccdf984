import { mount } from "#app/_lib/mount";

export const dynamic = "force-dynamic";
/** Seconds that a platform lets it run: CRON_SECONDS, and what is under way then. */
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
