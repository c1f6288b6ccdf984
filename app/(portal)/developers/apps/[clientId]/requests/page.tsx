import { applicationMetadata, requireApplication } from "#app/_lib/current-user";
import type { PageProps } from "#app/_lib/search-params";
import { RequestLog } from "./_parts/request-log";

export const generateMetadata = applicationMetadata("Requests of");

export default async function Requests({ params, searchParams }: PageProps<"clientId">) {
  const { clientId } = await requireApplication(await params, "requests");
  return <RequestLog clientId={clientId} sent={await searchParams} />;
}
