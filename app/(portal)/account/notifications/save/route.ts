import { formHandler } from "#app/_lib/form";
import { TooManyRequests } from "#server/failures";

export const POST = formHandler({
  page: "/account/notifications",
  procedure: ({ account }, sent) =>
    account.notify({ chat: sent.getAll("chat"), webhook: sent.getAll("webhook") }),
  done: "?done=saved",
  refused: { [TooManyRequests.code]: `${TooManyRequests.code}` },
});
