import { caller } from "#app/_lib/caller";
import { applicationMetadata, requireApplication } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { ListFooter } from "#app/_parts/list-controls.tsx";
import { Card } from "#app/_ui/card.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { mayDo } from "#server/oauth/clients/team/rights";
import { OAuthAttemptsTable } from "../_parts/call-tables";

export const generateMetadata = applicationMetadata("Failures of");

export default async function Failures({ params, searchParams }: PageProps<"clientId">) {
  const { clientId, role } = await requireApplication(await params);
  const after = (await readParam(searchParams, "after"))?.slice(0, 100);
  const { rows, next } = await (await caller()).applications.failedAttempts({ clientId, after });
  return (
    <Card
      title="Failed attempts"
      description={
        <>
          Refused authorization and token requests, newest first. The{" "}
          <TextLink href="/docs/oauth">OAuth guide</TextLink> shows correct requests, the{" "}
          <TextLink href="/developers/doctor">doctor</TextLink> finds what is wrong with one.
        </>
      }
      flush
      footer={
        <ListFooter address={`/developers/apps/${clientId}/failures`} after={after} next={next}>
          The last seven days. Up to 20 per minute and address are recorded.
        </ListFooter>
      }
    >
      <OAuthAttemptsTable attempts={rows} withDoctor={mayDo(role, "requests")} />
    </Card>
  );
}
