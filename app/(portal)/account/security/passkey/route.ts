import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/account/security",
  procedure: ({ passkeys }, sent) => {
    const id = sent.get("id");
    switch (sent.get("act")) {
      case "trust":
        return passkeys.trust({ id }).then(() => "trusted");
      case "remove":
        return passkeys
          .remove({ id })
          .then(({ sessionsEnded }) => (sessionsEnded > 0 ? "removed-everywhere" : "removed"));
    }
  },
  done: (word) => `?done=${word}`,
});
