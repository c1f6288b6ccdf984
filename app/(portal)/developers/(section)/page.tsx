import type { Metadata } from "next";
import { Suspense } from "react";
import { requireUser } from "#app/_lib/current-user";
import { type PageProps, readPageNumber, readParam } from "#app/_lib/search-params";
import { Card } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { Skeleton } from "#app/_ui/progress.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { ApplicationsTable } from "../_parts/applications-table";
import { Invitations } from "../_parts/invitations";

export const metadata: Metadata = { title: "Applications" };

export default async function Applications({ searchParams }: PageProps) {
  await requireUser();
  const q = ((await readParam(searchParams, "q")) ?? "").slice(0, 100);
  const sort = (await readParam(searchParams, "sort"))?.slice(0, 20);
  const page = await readPageNumber(searchParams);
  return (
    <>
      <PageHeader
        title="Applications"
        lead="Health of the last 24 hours"
        actions={
          <LinkButton href="/developers/new" variant="primary">
            Register an application
          </LinkButton>
        }
      />
      <Invitations searchParams={searchParams} />
      <Suspense fallback={<TableSkeleton />}>
        <ApplicationsTable q={q} sort={sort} page={page} />
      </Suspense>
    </>
  );
}

const TableSkeleton = () => (
  <Card>
    <div className="grid gap-3" role="status" aria-label="Loading">
      {["a", "b", "c"].map((row) => (
        <Skeleton key={row} className="h-9 w-full" />
      ))}
    </div>
  </Card>
);
