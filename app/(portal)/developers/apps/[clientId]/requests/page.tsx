import type { Metadata } from "next";
import { ownApplication } from "#app/_lib/current-user";
import type { SearchParams } from "#app/_lib/search-params";
import { RequestLog } from "./_parts/request-log";

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return {
    title: `Requests of ${(await ownApplication((await params).clientId, "requests")).name}`,
  };
}

export default async function Requests({ params, searchParams }: Props) {
  const { clientId } = await ownApplication((await params).clientId, "requests");
  return <RequestLog clientId={clientId} sent={await searchParams} />;
}
