import { routeHandler } from "#app/_lib/mount";
import { browserRouter } from "#server/portal/router";
import { portalCalls } from "#server/trpc/http";

const call = routeHandler(portalCalls(browserRouter));

// Other methods get JSON there; Next's own refusal would be empty.
export {
  call as DELETE,
  call as GET,
  call as HEAD,
  call as OPTIONS,
  call as PATCH,
  call as POST,
  call as PUT,
};
