import { caller } from "#app/_lib/caller";
import { applicationMetadata, requireApplication } from "#app/_lib/current-user";
import { type PageProps, readParams, type SearchParams } from "#app/_lib/search-params";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { ActButton, CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { ProvenDomainBadge, Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { Checklist } from "#app/(portal)/developers/_parts/checklist.tsx";
import type { RouterOutputs } from "#server/portal/router";
import { failureSentences, type ShownFailure } from "#server/webhooks/attempt";

type Verification = RouterOutputs["verification"]["show"];
type Domain = NonNullable<Verification["domain"]>;

export const generateMetadata = applicationMetadata("Verification of");

export default async function VerificationPage({ params, searchParams }: PageProps<"clientId">) {
  const { clientId } = await requireApplication(await params, "settings");
  const verification = await (await caller()).verification.show({ clientId });
  const { domain } = verification;
  const action = `/developers/apps/${clientId}/verification/act`;
  return (
    <>
      <h2 className="sr-only">Verification</h2>
      <FormNotice searchParams={searchParams} done={done} wrong={wrong} />
      {domain ? (
        <DomainCard domain={domain} action={action} />
      ) : (
        <NameDomain action={action} searchParams={searchParams} />
      )}
      <RequestCard verification={verification} action={action} />
    </>
  );
}

/** Keyed by act. */
const done = {
  name: "Saved. Publish the proof, then check it.",
  prove: "Proven. Players see the domain when the application asks for access.",
  remove: "The domain is removed.",
  request: "Asked. You get a notice with the answer.",
  withdraw: "Your request is withdrawn.",
};

const wrong = {
  domain: "Not saved.",
  "not-found": "Not proven: no proof was found. What was found is listed below.",
  "not-requested": "Not asked: something of the checklist is missing.",
};

type NameDomainProps = { action: string; searchParams: SearchParams };

async function NameDomain({ action, searchParams }: NameDomainProps) {
  const typed = await readParams(searchParams, ["error", "domain"]);
  return (
    <Card
      title="Domain"
      description="Prove that your team controls a domain. Players then see it beside the name."
    >
      <CsrfForm action={action} fields={{ act: "name" }} className="flex flex-wrap items-end gap-3">
        <InputField
          name="domain"
          label="Domain"
          placeholder="clerk.example"
          className="min-w-0 flex-1 basis-56"
          error={
            typed.error === "domain"
              ? "Enter a full public name alone, such as clerk.example: no https://, path, port or IP address."
              : undefined
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={300}
          defaultValue={typed.domain}
        />
        <Button type="submit" variant="primary">
          Continue
        </Button>
      </CsrfForm>
    </Card>
  );
}

type DomainProps = { domain: Domain; action: string };

function DomainCard({ domain, action }: DomainProps) {
  const { provenAt, provenBy, seenAt, misses } = domain;
  return (
    <Card
      title="Domain"
      actions={
        provenAt ? (
          <ProvenDomainBadge domain={domain.domain} />
        ) : (
          <Status tone="warn">Not proven</Status>
        )
      }
      footer={
        <>
          <ActButton
            action={action}
            fields={{ act: "prove" }}
            variant={provenAt ? "secondary" : "primary"}
          >
            Check now
          </ActButton>
          <ConfirmButton
            label="Remove"
            what={domain.domain}
            action={action}
            fields={{ act: "remove" }}
            consequences={
              provenAt
                ? "Players no longer see the domain as proven. A verification ends."
                : "You can enter another one, or this one again."
            }
          />
        </>
      }
    >
      <div className="grid gap-5">
        {misses > 0 && provenAt && (
          <Alert tone="warn" title="The proof is missing">
            Put it back. After four failed checks on four days the domain is no longer proven.
          </Alert>
        )}
        {provenAt ? (
          <KeyValueList
            items={[
              { label: "Proof", value: provenBy === "dns" ? "TXT record" : "File" },
              { label: "Since", value: <Time at={provenAt} /> },
              { label: "Last seen", value: seenAt ? <Time at={seenAt} /> : "–" },
            ]}
          />
        ) : (
          <p>
            To prove <strong className="wrap-anywhere">{domain.domain}</strong>, publish this text
            {domain.recordName ? " in one of two places" : " in a file"}, then check it. It is
            checked again each week, so leave it there.
          </p>
        )}
        <KeyValueList items={[{ label: "Text", copy: domain.challenge }]} />
        <div className="grid gap-5">
          {domain.recordName && (
            <Place
              title="TXT record in DNS"
              facts={[
                { label: "Type", value: "TXT" },
                { label: "Name", copy: domain.recordName },
              ]}
              finding={dnsSentences[domain.dnsFinding ?? ""]}
            />
          )}
          <Place
            title={domain.recordName ? "Or a text file" : "A text file"}
            facts={[{ label: "URL", copy: domain.fileAddress }]}
            finding={fileSentence(domain.fileFinding)}
          />
        </div>
        {domain.checkedAt && (
          <p className="text-sm text-ink-soft">
            Checked <Time at={domain.checkedAt} />.
          </p>
        )}
      </div>
    </Card>
  );
}

type PlaceProps = {
  title: string;
  facts: readonly { label: string; value?: string; copy?: string }[];
  finding: string | undefined;
};

const Place = ({ title, facts, finding }: PlaceProps) => (
  <section className="grid gap-2">
    <h3 className="font-medium">{title}</h3>
    <KeyValueList items={facts} />
    {finding && <p className="text-sm text-ink-soft">{finding}</p>}
  </section>
);

const dnsSentences: Readonly<Record<string, string>> = {
  found: "Found.",
  "no-record": "No TXT record there. A new record can take an hour to be seen.",
  "other-text": "There are TXT records, but none is this text.",
  "no-answer": "The nameservers did not answer. Try again later.",
};

function fileSentence(finding: string | null): string | undefined {
  if (finding === null) return undefined;
  if (finding === "found") return "Found.";
  if (finding === "other-text") return "The file is there, but does not hold this text as a line.";
  const status = Number(/^status-(\d{3})$/.exec(finding)?.[1]);
  if (status >= 300 && status < 400)
    return `Answered with ${status}, a redirect, which we do not follow. Serve the file at this very address.`;
  if (status) return `Answered with ${status}. Serve the file with 200.`;
  return failureSentences[finding as ShownFailure];
}

type RequestProps = { verification: Verification; action: string };

function RequestCard({ verification, action }: RequestProps) {
  const { verified, mayRequest, checklist, request } = verification;
  const isReady = checklist.every(({ met }) => met);
  if (verified)
    return (
      <Card title="Verified">
        <p>
          An admin vouches for this application. A new name, redirect URI, scope, page or domain
          ends that.
        </p>
      </Card>
    );
  const isOpen = request?.outcome === null;
  return (
    <Card
      title="Verification"
      description="An admin looks at the application and vouches for it. Players see the mark where it asks for access."
      footer={
        mayRequest ? (
          isOpen ? (
            <ActButton action={action} fields={{ act: "withdraw" }}>
              Withdraw the request
            </ActButton>
          ) : (
            isReady && (
              <ActButton action={action} fields={{ act: "request" }} variant="primary">
                Request verification
              </ActButton>
            )
          )
        ) : (
          <span>Only the owner can request verification.</span>
        )
      }
    >
      <div className="grid gap-4">
        {isOpen && (
          <Alert tone="neutral">
            Requested <Time at={request.requestedAt} />. An admin decides, and you get a notice.
          </Alert>
        )}
        {request?.outcome === "declined" && (
          <Alert tone="warn" title="Not verified">
            The reason given: {request.reason}
          </Alert>
        )}
        <Checklist items={checklist} />
        <p className="text-sm text-ink-soft">
          <TextLink href="/docs/teams#verification">What verification means</TextLink>
        </p>
      </div>
    </Card>
  );
}
