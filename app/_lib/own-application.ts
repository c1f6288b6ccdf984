import { notFound } from "next/navigation";
import { cache } from "react";
import { UnknownOAuthClient } from "#server/failures";
import { failureBehind } from "#server/trpc/refusal";
import { caller } from "./caller";
import { requireUser } from "./current-user";

/** The signed-in developer's application, asked once for a page; "no such page" for what is not theirs or does not exist. */
export const ownApplication = cache(async (clientId: string) => {
  await requireUser(`/developers/apps/${encodeURIComponent(clientId)}`);
  return (await caller()).applications.get({ clientId: clientId.slice(0, 100) }).catch((thrown: unknown) => {
    if (failureBehind(thrown)?.kind.code === UnknownOAuthClient.code) notFound();
    throw thrown;
  });
});
