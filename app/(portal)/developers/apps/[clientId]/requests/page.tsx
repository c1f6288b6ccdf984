import { ownApplication, titleOfApplication } from "#app/_lib/current-user";
import type { SearchParams } from "#app/_lib/search-params";
import { RequestLog } from "./_parts/request-log";

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

export const generateMetadata = titleOfApplication("Requests of");

export default async function Requests({ params, searchParams }: Props) {
  const { clientId } = await ownApplication((await params).clientId, "requests");
  return <RequestLog clientId={clientId} sent={await searchParams} />;
}
