import { afterAll, expect, test } from "vitest";
import { POST as postLinkChat } from "#app/(portal)/account/chat/link/route";
import { testDatabase } from "#server/testing/database";
import { plainBrowser, shareContext } from "#server/testing/plain-browser";
import { portalOf } from "#server/testing/portal-script";
import { testContext } from "#server/testing/test-context";
import { POST as postSignInKey } from "../key/route";
import { GET as getChatCallback } from "./callback/route";
import { POST as postStartChat } from "./route";

const { ctx, simulator } = await testContext({ database: await testDatabase() });
afterAll(shareContext(ctx));

test("where no chat is set up nobody is sent to one, and nobody comes back from one", async () => {
  const visitor = plainBrowser(ctx);
  await visitor.post(postSignInKey, { game_key: simulator.demoKeys.member });
  const answers = [
    await visitor.post(postStartChat, {}),
    await visitor.post(postLinkChat, { csrf: await visitor.csrf() }),
    await visitor.visit(
      getChatCallback,
      "http://localhost:3000/sign-in/chat/callback?state=x&code=y",
    ),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test("where no chat is set up the pages are told so", async () => {
  expect(await portalOf(ctx, null).chat.offered()).toBe(false);
});
