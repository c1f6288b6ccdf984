import { routeHandler } from "#app/_lib/mount";
import { answerAuthorize } from "#server/oauth/authorize/http";

const ask = routeHandler(answerAuthorize);

// HEAD and OPTIONS are explicit, because Next would answer them through GET or by itself.
export {
  ask as DELETE,
  ask as GET,
  ask as HEAD,
  ask as OPTIONS,
  ask as PATCH,
  ask as POST,
  ask as PUT,
};
