import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { allowedMethods, chatCallbackPath, formTargets, isFormTarget } from "./form-targets";

const app = path.join(import.meta.dirname, "../../app");

test("every route file of the portal is the target of a form or of a way back, and every target has one", () => {
  const routes = readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter(
      (file) =>
        path.basename(file) === "route.ts" &&
        !/^(api|oauth|health|chat|cron|faction\/events|docs|llms\.txt)\//.test(file),
    )
    .map((file) =>
      `/${path.dirname(file)}`.replaceAll(/\/\([^)]+\)/g, "").replaceAll(/\[[^\]]+\]/g, "*"),
    );
  expect(routes.sort()).toEqual([...formTargets, chatCallbackPath].sort());
});

test.each([
  ["/sign-in/key", ["POST"]],
  ["/consent/7b1f/decision", ["POST"]],
  ["/sign-in/chat", ["POST"]],
  ["/sign-in/chat/callback", ["GET"]],
  ["/sign-in", ["GET", "HEAD"]],
  ["/consent/7b1f", ["GET", "HEAD"]],
  ["/consent/7b1f/x/decision", ["GET", "HEAD"]],
  ["/sign-out/", ["GET", "HEAD"]],
  ["/", ["GET", "HEAD"]],
])("%s can be asked with %j", (target, methods) => {
  expect(allowedMethods(target)).toEqual(methods);
  expect(isFormTarget(target)).toBe(methods.includes("POST"));
});
