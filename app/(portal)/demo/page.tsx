import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { gameName, pageSettings } from "#app/_lib/settings";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Interactive, prefetcher } from "#app/_parts/interactive.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { describeActs } from "./_parts/describe-acts";
import { LatestEvents } from "./_parts/latest-events";

export const metadata: Metadata = { title: "Demo" };

export default async function DemoPage({ searchParams }: { searchParams: SearchParams }) {
  if (pageSettings().demo === "off") notFound();
  await requireUser();
  const [lonerHasKey] = await Promise.all([
    (await caller()).demo.lonerHasKey(),
    (await prefetcher()).demo.show.fetch(),
  ]);
  const acts = describeActs({ lonerHasKey, gameName: gameName() });
  const asked = await readParam(searchParams, "did");
  const did = acts.find(({ act }) => act === asked);
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Demo"
        lead={`${gameName()} is simulated here. Make something happen in it, and watch it arrive.`}
      />
      {did && (
        <Alert tone="good" live>
          {did.done}
        </Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <Card title={`In ${gameName()}`} flush>
          <ul className="divide-y divide-line">
            {acts.map(({ act, title, text, label, href, where }) => (
              <li
                key={act}
                className="flex flex-wrap items-center justify-between gap-3 px-4 py-4 sm:px-5"
              >
                <div className="min-w-0 flex-1 basis-64">
                  <h3 className="font-medium">{title}</h3>
                  <p className="text-sm text-ink-soft">
                    {text} <TextLink href={href}>{where}</TextLink>
                  </p>
                </div>
                <CsrfForm action="/demo/act" fields={{ act }}>
                  <Button type="submit">{label}</Button>
                </CsrfForm>
              </li>
            ))}
          </ul>
        </Card>
        <Interactive>
          <LatestEvents />
        </Interactive>
      </div>
    </div>
  );
}
