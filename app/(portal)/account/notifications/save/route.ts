import { form } from "#app/_lib/form";
import { TooManyRequests } from "#server/failures";

export const POST = form({
  page: "/account/notifications",
  procedure: ({ account }, sent) =>
    account.notify({ chat: sent.getAll("chat"), webhook: sent.getAll("webhook") }),
  done: "?done=saved",
  refused: { [TooManyRequests.code]: `${TooManyRequests.code}` },
});
