import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/developers/apps/[clientId]/verification",
  typed: ["domain"],
  procedure: ({ verification }, sent): Promise<unknown> | undefined => {
    const clientId = sent.get("clientId");
    switch (sent.get("act")) {
      case "name":
        return verification.nameDomain({ clientId, domain: sent.get("domain") ?? "" });
      case "prove":
        return verification.prove({ clientId });
      case "remove":
        return verification.removeDomain({ clientId });
      case "request":
        return verification.request({ clientId });
      case "withdraw":
        return verification.withdraw({ clientId });
    }
  },
  done: (found, sent) => {
    const act = sent.get("act");
    return act === "prove" && found !== "found" ? "?error=not-found" : `?done=${act}`;
  },
  refused: ({ field }, sent) => {
    if (field === "domain") return "?error=domain";
    return sent.get("act") === "request" ? "?error=not-requested" : undefined;
  },
});
