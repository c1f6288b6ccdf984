import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { formatNumber } from "#app/_lib/format";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Interactive } from "#app/_parts/interactive.tsx";
import { ListFooter } from "#app/_parts/list-footer.tsx";
import { RefreshSoon } from "#app/_parts/page-refresh.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { RadioCards } from "#app/_ui/radio-cards.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { EndpointView } from "#server/webhooks/endpoint-views";
import { DeliveriesTable, DeliveryFilter } from "../_parts/deliveries-table";
import { lightOf } from "../_parts/endpoint-light";
import { endpointsPath } from "../_parts/endpoint-path";
import { type EndpointParams, ownEndpoint } from "../_parts/own-endpoint";
import { Verify } from "../_parts/verify";

type Props = { params: EndpointParams; searchParams: SearchParams };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { clientId, endpointId } = await params;
  const { application } = await ownEndpoint(clientId, endpointId);
  return { title: application ? `Webhook endpoint of ${application.name}` : "Your webhook" };
}

const done = {
  verified: "Verified: your endpoint sent the code back and refused the forged request.",
  again: "The event is on the way again.",
  paused: "Paused. Events wait for up to seven days.",
  resumed: "The endpoint is enabled.",
  moved: "The URL is saved. Verify it: nothing is sent before that.",
};

export default async function EndpointDeliveries({ params, searchParams }: Props) {
  const { clientId = null, endpointId } = await params;
  const { application, endpoint, page } = await ownEndpoint(clientId ?? undefined, endpointId);
  const filtered = (await readParam(searchParams, "show")) === "failed";
  const isReplayed = (await readParam(searchParams, "done")) === "again";
  const after = (await readParam(searchParams, "after"))?.slice(0, 100);
  const asked = { clientId, endpointId, after: after ?? null, unsuccessful: filtered };
  const { rows, next } = await (await caller()).webhooks.deliveries(asked);
  const { state, secretLost, waiting, types, lastSuccessAt, failures, failingSince } = endpoint;
  return (
    <Interactive>
      {state === "enabled" && waiting > 0 && (failures === 0 || isReplayed) && <RefreshSoon />}
      <FormNotice searchParams={searchParams} done={done} refused="Nothing was done" />
      <State endpoint={endpoint} page={page} />
      {state === "unverified" && !secretLost && (
        <Card
          title="Verify"
          description={
            <>
              We send two requests. Answer the signed <code>endpoint.verify</code> with its{" "}
              <code>data.code</code> in the body, and the one with a wrong signature with 401.
            </>
          }
        >
          <Verify clientId={clientId} endpointId={endpointId} isVerified={false} />
        </Card>
      )}
      <StatRow
        items={[
          { label: "Waiting", value: formatNumber(waiting), hint: "events" },
          {
            label: "Events",
            value: types.length,
            hint: (
              <TextLink href={application ? `${page}/events` : endpointsPath()}>
                types chosen
              </TextLink>
            ),
          },
          { label: "Last success", value: lastSuccessAt ? <Time at={lastSuccessAt} /> : "Never" },
          {
            label: "Failures in a row",
            value: failures,
            hint: failingSince && (
              <>
                since <Time at={failingSince} />
              </>
            ),
          },
        ]}
      />
      <Card
        id="deliveries"
        title="Deliveries"
        description="Attempts of the last seven days, newest first."
        actions={<DeliveryFilter page={page} filtered={filtered} />}
        flush
        footer={
          <ListFooter address={filtered ? `${page}?show=failed` : page} after={after} next={next}>
            The bar shows DNS, connection, TLS and the wait for the answer.
          </ListFooter>
        }
      >
        <DeliveriesTable
          deliveries={rows}
          page={page}
          filtered={filtered}
          enabled={state === "enabled"}
        />
      </Card>
    </Interactive>
  );
}

function State({ endpoint, page }: { endpoint: EndpointView; page: string }) {
  const { state, secretLost } = endpoint;
  const [tone, word, sentence] = lightOf(endpoint);
  const action = `${page}/act`;
  if (secretLost)
    return (
      <Alert tone="bad" title={word}>
        {sentence}{" "}
        <LinkButton href={`${page}/settings#secret`} size="sm">
          Rotate the secret
        </LinkButton>
      </Alert>
    );
  if (state === "enabled")
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="max-w-prose min-w-0 flex-1 basis-64">{sentence}</p>
        <CsrfForm action={action} fields={{ act: "pause" }}>
          <Button type="submit" size="sm">
            Pause
          </Button>
        </CsrfForm>
      </div>
    );
  if (state === "unverified") return <p className="max-w-prose">{sentence}</p>;
  return (
    <Card title={word} description={sentence} tone={tone === "bad" ? "danger" : undefined}>
      <CsrfForm action={action} fields={{ act: "resume" }} className="grid gap-4">
        <RadioCards
          name="from"
          legend="Where should it go on?"
          defaultValue="stopped"
          options={[
            {
              value: "stopped",
              label: "From where it stopped",
              hint: "Waiting events are sent first, oldest first.",
            },
            { value: "now", label: "From now", hint: "Waiting events are deleted and never sent." },
          ]}
        />
        <div>
          <Button type="submit" variant="primary">
            Resume
          </Button>
        </div>
      </CsrfForm>
    </Card>
  );
}
