import { redirect } from "next/navigation";
import { Suspense } from "react";
import { caller } from "#app/_lib/caller";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { ListFooter } from "#app/_parts/list-footer.tsx";
import { RefreshSoon } from "#app/_parts/page-refresh.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Skeleton } from "#app/_ui/progress.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { CallsTable } from "../../_parts/calls-table";
import { rangeWords, TrafficPlot } from "../../_parts/traffic-plot";
import { CallFilters, type CallQuery, readCallQuery } from "./call-filters";

type Props = {
  clientId: string;
  sent: Readonly<Record<string, string | string[] | undefined>>;
  open?: string;
};

export async function RequestLog({ clientId, sent, open }: Props) {
  const page = `/developers/apps/${clientId}/requests`;
  const { filter, query, isFiltered, isLive, fields, requestId } = readCallQuery(sent);
  const { applications } = await caller();
  if (requestId && (await applications.loggedCall({ clientId, requestId })))
    redirect(`${page}/${requestId}`);
  const { rows, next, unknownPlayer } = await applications.calls({ clientId, ...filter });
  const live = `${query}${query === "" ? "?" : "&"}live=on`;
  return (
    <Card
      title="Requests"
      description="Every API call with a token of this application, newest first. Calls with a dead token are listed for one day."
      flush
      actions={
        <>
          <span className="needs-script">
            <LinkButton href={`${page}${isLive ? query : live}`} size="sm">
              {isLive ? "Stop live" : "Live"}
            </LinkButton>
          </span>
          <CsrfForm action={`${page}/export`} fields={fields}>
            <Button type="submit" size="sm">
              CSV
            </Button>
          </CsrfForm>
        </>
      }
      footer={
        <ListFooter address={`${page}${query}`} after={filter.after ?? undefined} next={next}>
          Kept for 30 days. A file has the newest 5,000.
        </ListFooter>
      }
    >
      {isLive && <RefreshSoon />}
      <CallFilters
        page={page}
        fields={fields}
        isFiltered={isFiltered}
        unknownPlayer={unknownPlayer}
        unknownRequest={requestId}
      />
      <Suspense fallback={<Skeleton className="h-56 w-full" />}>
        <Histogram clientId={clientId} {...filter} />
      </Suspense>
      <CallsTable
        calls={rows}
        page={page}
        query={isLive ? live : query}
        open={open}
        filtered={isFiltered}
      />
    </Card>
  );
}

/** Of all calls in the range: a filter would hide what the failures belong to. */
async function Histogram({
  clientId,
  range,
  until,
}: Pick<CallQuery["filter"], "range" | "until"> & { clientId: string }) {
  const { total, steps } = await (await caller()).applications.traffic({ clientId, range, until });
  if (total.calls === 0) return null;
  return (
    <div className="border-b border-line px-4 py-4 sm:px-5">
      <TrafficPlot
        title={`All calls, ${rangeWords[range]}`}
        steps={steps}
        running={until === null}
      />
    </div>
  );
}
