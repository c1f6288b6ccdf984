import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { caller, csrfToken } from "#app/_lib/caller";
import { csrfField } from "#app/_lib/csrf";
import { formatCappedNumber, formatCount } from "#app/_lib/format";
import { ownApplication } from "#app/_lib/own-application";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { CsrfForm, HiddenFields } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Interactive } from "#app/_parts/interactive.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Input } from "#app/_ui/controls.tsx";
import { Field } from "#app/_ui/field.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { RadioCards } from "#app/_ui/radio-cards.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { eventTypes } from "#server/event-types";
import { mostKeepDays } from "#server/webhooks/contract";
import type { EndpointView } from "#server/webhooks/endpoint";
import { ListFooter } from "../../_parts/list-parts";
import { DeliveriesTable, DeliveryFilter } from "../_parts/deliveries-table";
import { RotateSecret, TestEvent, Verify } from "../_parts/endpoint-acts";
import { EndpointLight, lightOf } from "../_parts/endpoint-light";
import { EventChoice } from "../_parts/event-choice";
import { Replay } from "../_parts/replay";

type Props = { params: Promise<{ clientId: string; endpointId: string }>; searchParams: SearchParams };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Webhook endpoint of ${(await ownApplication((await params).clientId)).name}` };
}

const wrong = {
  "test-failed": "The test event was not delivered. What came back stands first among the deliveries.",
  range: "Enter both times of the range, the earlier one first.",
};

/** What forms of this page did. How many events were queued comes with the address. */
async function doneWords(searchParams: SearchParams): Promise<Readonly<Record<string, string>>> {
  const count = Number(/^\d{1,4}$/.exec((await readParam(searchParams, "count")) ?? "")?.[0] ?? 0);
  const more = (await readParam(searchParams, "more")) === "yes";
  return {
    verified: "Verified: your endpoint sent the code back and refused the forged request.",
    tested: "The test event was delivered.",
    changed: "Events and description are saved.",
    moved: "The URL is saved. Verify it: nothing is sent before that.",
    paused: "Paused. Events wait for up to seven days.",
    resumed: "The endpoint is enabled.",
    nothing: "No event was found: nothing is sent again.",
    replayed: `${formatCount(count, "event is", "events are")} on the way again.${more ? " There are more: replay once more to go on." : ""}`,
  };
}

/** One endpoint: how it does, what was sent, and all that can be done with it. */
export default async function WebhookEndpoint({ params, searchParams }: Props) {
  const { clientId, endpointId } = await params;
  const { scopes } = await ownApplication(clientId);
  const portal = await caller();
  const endpoint = (await portal.webhooks.list({ clientId })).find((known) => known.endpointId === endpointId);
  if (!endpoint) notFound();
  const filtered = (await readParam(searchParams, "show")) === "failed";
  const after = (await readParam(searchParams, "after"))?.slice(0, 100);
  const asked = { clientId, endpointId, after: after ?? null, unsuccessful: filtered };
  const { rows, next } = await portal.webhooks.deliveries(asked);
  const page = `/developers/apps/${clientId}/webhooks/${endpointId}`;
  const key = { clientId, endpointId };
  const token = <HiddenFields fields={{ [csrfField]: await csrfToken() }} />;
  const goOn = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.exec((await readParam(searchParams, "go_on")) ?? "")?.[0];
  const enabled = endpoint.state === "enabled";
  return (
    <Interactive>
      <div className="grid gap-6">
        <p className="text-sm">
          <TextLink href={`/developers/apps/${clientId}/webhooks`}>All endpoints</TextLink>
        </p>
        <FormNotice
          searchParams={searchParams}
          done={await doneWords(searchParams)}
          wrong={wrong}
          refused="Nothing was done"
        />
        <Overview endpoint={endpoint} action={`${page}/act`} />
        <Card
          id="verify"
          title="Verify"
          description={
            <>
              We send two requests. Answer the signed <code className="font-mono">endpoint.verify</code> with its{" "}
              <code className="font-mono">data.code</code> in the body, and the one with a wrong signature with 401.
            </>
          }
        >
          <Verify {...key} isVerified={endpoint.state !== "unverified"}>
            {token}
          </Verify>
        </Card>
        {endpoint.state !== "unverified" && (
          <Card
            title="Test event"
            description="Sends an example at once, marked with “test”: true. It is not repeated."
          >
            <TestEvent {...key} types={eventTypes.map(({ type }) => type)}>
              {token}
            </TestEvent>
          </Card>
        )}
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
          <DeliveriesTable deliveries={rows} page={page} filtered={filtered} enabled={enabled} />
        </Card>
        <Replay action={`${page}/act`} enabled={enabled} from={goOn} />
        <Card title="Events and description">
          <CsrfForm action={`${page}/act`} fields={{ act: "change" }} className="grid gap-5">
            <Field name="description" label="Description" required={false}>
              {(control) => (
                <Input {...control} autoComplete="off" maxLength={100} defaultValue={endpoint.description} />
              )}
            </Field>
            <EventChoice clientId={clientId} scopes={scopes} chosen={endpoint.types} />
            <div>
              <Button type="submit">Save events</Button>
            </div>
          </CsrfForm>
        </Card>
        <Card title="URL" description="A new URL must be verified. Events wait until then.">
          <CsrfForm action={`${page}/act`} fields={{ act: "move" }} className="flex flex-wrap items-end gap-3">
            <Field name="url" label="URL" className="min-w-0 flex-1 basis-64">
              {(control) => (
                <Input
                  {...control}
                  code
                  inputMode="url"
                  autoComplete="off"
                  maxLength={2_000}
                  defaultValue={endpoint.url}
                />
              )}
            </Field>
            <Button type="submit">Save URL</Button>
          </CsrfForm>
        </Card>
        <Card
          title="Secret"
          description={
            <>
              In use since <Time at={endpoint.secretSince} />.
              {endpoint.previousUntil && (
                <>
                  {" "}
                  The one before it signs as well and ends <Time at={endpoint.previousUntil} />: until then you can only
                  rotate a secret that leaked.
                </>
              )}
            </>
          }
        >
          <RotateSecret {...key} mostDays={mostKeepDays} hasPrevious={endpoint.previousUntil !== null}>
            {token}
          </RotateSecret>
        </Card>
        <Card
          tone="danger"
          title="Remove endpoint"
          description="Its deliveries and everything that waits for it are deleted."
        >
          <Confirmation
            label="Remove endpoint"
            consequences={`Nothing more is sent to ${endpoint.url}, and its secret ends. ${formatCappedNumber(endpoint.waiting)} waiting.`}
            action={`${page}/act`}
            fields={{ act: "remove" }}
          />
        </Card>
      </div>
    </Interactive>
  );
}

/** How the endpoint does, and pausing or resuming it. */
function Overview({ endpoint, action }: { endpoint: EndpointView; action: string }) {
  const { state, url, description, lastSuccessAt, failures, failingSince, waiting, version, types } = endpoint;
  const [, , sentence] = lightOf(endpoint);
  return (
    <Card title={description || "Webhook endpoint"} actions={<EndpointLight endpoint={endpoint} />}>
      <div className="grid gap-5">
        <p className="max-w-prose">{sentence}</p>
        <KeyValueList
          items={[
            { label: "URL", value: <code className="font-mono text-sm">{url}</code>, copy: url },
            { label: "State since", value: <Time at={endpoint.stateSince} /> },
            { label: "Last success", value: lastSuccessAt ? <Time at={lastSuccessAt} /> : "Never" },
            ...(failingSince
              ? [
                  {
                    label: "Failing",
                    value: (
                      <>
                        {formatCount(failures, "attempt")} since <Time at={failingSince} />
                      </>
                    ),
                  },
                ]
              : []),
            { label: "Waiting", value: formatCappedNumber(waiting) },
            { label: "Events", value: types.length === 0 ? "None chosen" : formatCount(types.length, "type") },
            { label: "Version", value: version },
          ]}
        />
        {state === "enabled" && (
          <CsrfForm action={action} fields={{ act: "pause" }}>
            <Button type="submit" size="sm">
              Pause
            </Button>
          </CsrfForm>
        )}
        {(state === "paused" || state === "disabled") && (
          <CsrfForm action={action} fields={{ act: "resume" }} className="grid gap-4 border-t border-line pt-5">
            <RadioCards
              name="from"
              legend="Where should it go on?"
              defaultValue="stopped"
              options={[
                {
                  value: "stopped",
                  label: "From where it stopped",
                  hint: "Everything that waits is sent first, oldest first.",
                },
                { value: "now", label: "From now", hint: "What waits is dropped. Your endpoint never hears of it." },
              ]}
            />
            <div>
              <Button type="submit" variant="primary">
                Resume
              </Button>
            </div>
          </CsrfForm>
        )}
      </div>
    </Card>
  );
}
