import { routeHandler } from "#app/_lib/mount";
import { browserRouter } from "#server/portal/router";
import { createPortalHandler } from "#server/trpc/http";

const call = routeHandler(createPortalHandler(browserRouter));

// All methods are exported, because Next's own refusals would be empty instead of JSON.
export {
  call as DELETE,
  call as GET,
  call as HEAD,
  call as OPTIONS,
  call as PATCH,
  call as POST,
  call as PUT,
};
