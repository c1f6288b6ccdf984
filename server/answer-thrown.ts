import type { Context } from "./context";
import { failureOf } from "./failure-of";
import { describeError } from "./platform/describe-error";
import { jsonAnswer } from "./platform/json-answer";
import { retryAfterHeader } from "./platform/retry-after";

/** What a handler threw outside of the transports that translate by themselves: which request, and what. */
interface Thrown {
  readonly thrown: unknown;
  readonly requestId: string;
  readonly route?: string;
}

/** The answer in JSON to a request whose handler threw: its failure of the catalogue. The cause goes to the log alone. */
export function answerThrown(
  { settings, log }: Pick<Context, "settings" | "log">,
  request: Request,
  { thrown, requestId, route }: Thrown,
): Response {
  const { kind, message, details, retryAfter, cause } = failureOf(thrown);
  const { code, name, status } = kind;
  const fields = { requestId, route, failureCode: code, error: describeError(cause) };
  if (status === 500) log.error(fields, "a call failed");
  else log.warn(fields, "a call could not be carried out");
  const record = { code, name, message, details };
  return jsonAnswer(request, settings, { status, record, requestId, headers: retryAfterHeader(status, retryAfter) });
}
