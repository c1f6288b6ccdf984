import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { ConsentView } from "#server/oauth/authorize/show-request";
import { dayMs, hourMs } from "#server/platform/time";
import { DecisionForm } from "./decision-form";

/** The preselected duration. */
function chosen(view: Pick<ConsentView, "earlier" | "lapsed" | "asksEachTime">) {
  const shown = {
    requestId: "r",
    redirectHost: "client.test",
    allowed: [],
    optional: [],
    ...view,
  } as unknown as ConsentView;
  const page = renderToStaticMarkup(
    <DecisionForm view={shown} id="decision" csrf={{ name: "csrf", value: "x" }} />,
  );
  return (
    page.match(/<input[^>]*checked=""[^>]*value="(\w+)"/)?.[1] ??
    page.match(/<input[^>]*value="(\w+)"[^>]*checked=""/)?.[1]
  );
}
const until = (milliseconds: number): Pick<ConsentView, "earlier"> => ({
  earlier: { scopes: ["identity"], until: new Date(Date.now() + milliseconds), paused: false },
});

test.each<[string, Pick<ConsentView, "earlier" | "lapsed">, boolean, string]>([
  ["nothing", { earlier: null, lapsed: null }, true, "revoked"],
  ["a day that is over", { earlier: null, lapsed: "day" }, true, "day"],
  ["a month that is over", { earlier: null, lapsed: "month" }, false, "month"],
  [
    "a day that is about to end, where each request asks",
    { ...until(hourMs), lapsed: null },
    true,
    "day",
  ],
  ["a month that goes on", { ...until(20 * dayMs), lapsed: null }, true, "earlier"],
  [
    "no end",
    { earlier: { scopes: ["identity"], until: null, paused: false }, lapsed: null },
    true,
    "revoked",
  ],
])(
  "after %s one click allows no more than was chosen before",
  (_before, view, asksEachTime, length) => {
    expect(chosen({ ...view, asksEachTime })).toBe(length);
  },
);
