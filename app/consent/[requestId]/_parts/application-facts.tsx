import { ChevronDown, Globe } from "lucide-react";
import { formatCappedCount } from "#app/_lib/format";
import { Emblem } from "#app/_parts/emblem.tsx";
import { StoredLink } from "#app/_parts/external-links.tsx";
import { Badge, ProvenDomainBadge, VerifiedBadge } from "#app/_ui/badge.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { Time } from "#app/_ui/time.tsx";
import type { ConsentView } from "#server/oauth/authorize/show-request";
import type { CappedCount } from "#server/platform/paging";

export function ApplicationFacts({ application }: { application: ConsentView["application"] }) {
  const { name, description, kind, ownerName, team, verified, provenDomain } = application;
  const { createdAt, clientUri, users } = application;
  return (
    <div className="flex items-start gap-2.5 sm:gap-4">
      <Emblem of={application} size="lg" />
      <div className="min-w-0">
        <h1 className="text-md font-semibold wrap-anywhere sm:text-2xl">
          <bdi>{name}</bdi> asks for access
        </h1>
        {description && (
          <p className="text-sm text-ink-soft wrap-anywhere max-sm:hidden">
            <bdi>{description}</bdi>
          </p>
        )}
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 sm:mt-1.5 sm:gap-y-2">
          {verified ? <VerifiedBadge /> : <Badge tone="warn">Not verified</Badge>}
          {/* A phone hides the badge of applications on a device, because they carry a warning. */}
          <span className={kind === "public" ? "max-sm:hidden" : undefined}>
            <Badge>{kind === "public" ? "Runs on a device" : "Runs on a server"}</Badge>
          </span>
          {provenDomain && <ProvenDomainBadge domain={provenDomain} />}
          {clientUri !== "" && (
            <span className="inline-flex min-w-0 items-center gap-1.5 text-sm wrap-anywhere">
              <Globe className="size-4 flex-none text-ink-faint" />
              <StoredLink href={clientUri} />
            </span>
          )}
        </div>
        <p className="text-sm wrap-anywhere text-ink-soft sm:mt-2">
          By <bdi>{ownerName}</bdi>
          {team.length > 0 && (
            <>
              {" "}
              with <bdi>{team.join(", ")}</bdi>
            </>
          )}
          , since <Time at={createdAt} />. {usersInWords(users)}
        </p>
      </div>
    </div>
  );
}

function usersInWords(users: CappedCount): string {
  if (users.count === 0) return "Not used by any player yet.";
  if (users.count === 1 && !users.more) return "One player uses it.";
  return `${formatCappedCount(users, "player")} use it.`;
}

export function PrivacyCard({ application }: { application: ConsentView["application"] }) {
  const { privacy, privacyUri, tosUri, name } = application;
  const statements = [
    { label: "Data it collects", value: privacy.data },
    { label: "What for", value: privacy.use },
    { label: "When it deletes it", value: privacy.retention },
    { label: "How to have it deleted", value: privacy.deletion },
    { label: "Who it shares it with", value: privacy.sharing },
    ...(privacy.protection ? [{ label: "How it is protected", value: privacy.protection }] : []),
    ...(privacy.contact ? [{ label: "Contact", value: privacy.contact }] : []),
  ];
  return (
    <section data-folds className="overflow-clip rounded-card border border-line bg-surface">
      <div className="grid px-4 py-2.5 sm:px-5 sm:pt-4 sm:pb-5">
        <h2 className="font-semibold max-sm:sr-only">What it says about your data</h2>
        <p data-folded="away" className="text-sm text-ink-soft max-sm:order-last max-sm:mt-3">
          Provided by the developer of {name}, not reviewed by Adjutant.
        </p>
        <details className="group sm:mt-3">
          <summary className="flex items-center justify-between gap-2 sm:w-fit">
            <span className="font-semibold sm:hidden" aria-hidden="true">
              What it says about your data
            </span>
            <span className="text-accent-text underline underline-offset-2 max-sm:sr-only">
              What it collects, what for, and how long it keeps it
            </span>
            <ChevronDown className="size-4 text-accent-text group-open:rotate-180 sm:hidden" />
          </summary>
          <div className="mt-3">
            <KeyValueList
              items={statements.map(({ label, value }) => ({
                label,
                value: <span className="whitespace-pre-line">{value}</span>,
              }))}
            />
          </div>
        </details>
      </div>
      <p
        data-folded="away"
        className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line bg-sunken px-4 py-3 text-sm text-ink-soft sm:px-5"
      >
        <StoredLink href={privacyUri}>Privacy policy</StoredLink>
        <StoredLink href={tosUri}>Terms of service</StoredLink>
      </p>
    </section>
  );
}
