import { notFound } from "next/navigation";
import { cache } from "react";
import { caller, isUnknown } from "./caller";
import { requireUser } from "./current-user";

/**
 * The signed-in developer's application, asked once for a page; "no such page" for what is not theirs or does not exist.
 * @param clientId as it stands in the address
 */
export const ownApplication = cache(async (clientId: string) => {
  await requireUser();
  return (await caller()).applications.get({ clientId: clientId.slice(0, 100) }).catch((thrown: unknown) => {
    if (isUnknown(thrown)) notFound();
    throw thrown;
  });
});
