import { visibleText } from "#app/_lib/format";
import { Alert } from "#app/_ui/alert.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import type { Diagnosis } from "#server/oauth/clients/diagnose";
import { ApplicationLink } from "./examined";

type Props = { found: Extract<Diagnosis, { kind: "request" }> };

export function Findings({ found }: Props) {
  const { application, addressFault, findings, ignored, corrected } = found;
  const faults = findings.filter(({ fault }) => fault !== null).length + (addressFault ? 1 : 0);
  const shown = findings.filter(({ parameters, fault, sent }) => {
    const rare = parameters.length === 0 || parameters.includes("request");
    return fault !== null || sent !== null || !rare;
  });
  return (
    <>
      {faults === 0 ? (
        <Alert tone="good" title="The request is correct">
          Players are asked to sign in or to approve.
        </Alert>
      ) : (
        <Alert tone="bad" title={faults === 1 ? "One error" : `${faults} errors`}>
          {addressFault ?? "Players won't see the consent page. Here is why."}
        </Alert>
      )}
      {corrected && (
        <Card
          title="Corrected URL"
          description={
            corrected.missing.length === 0
              ? "All errors are fixed."
              : `Your application still has to add: ${corrected.missing.join(", ")}.`
          }
          footer={
            corrected.leftOut.length > 0 && (
              <span className="wrap-anywhere">
                Left out: {visibleText(corrected.leftOut.join(", "))}. The application is not
                registered for it.
              </span>
            )
          }
        >
          <CodeBlock code={corrected.url} label="Corrected URL" wrap />
        </Card>
      )}
      <Card
        title="Parameters"
        description={
          <>
            Of <ApplicationLink of={application} />, checked in the order the endpoint uses.
          </>
        }
        flush
        footer={
          ignored.length > 0 && (
            <span className="wrap-anywhere">Ignored: {visibleText(ignored.join(", "))}.</span>
          )
        }
      >
        <DataTable
          caption="Parameters and their rules"
          rows={shown}
          rowKey={({ parameters }) => parameters.join(" ")}
          columns={[
            {
              header: "Parameter",
              primary: true,
              cell: ({ parameters }) => (
                <code className="grid font-mono text-sm">
                  {parameters.length === 0
                    ? "all"
                    : parameters.map((name) => <span key={name}>{name}</span>)}
                </code>
              ),
            },
            {
              header: "Result",
              nowrap: true,
              unlabelled: true,
              cell: ({ fault, advice }) => {
                if (fault) return <Status tone="bad">Error</Status>;
                return advice ? (
                  <Status tone="warn">Advice</Status>
                ) : (
                  <Status tone="good">Correct</Status>
                );
              },
            },
            {
              header: "Rule, and what was sent",
              prose: true,
              cell: ({ rule, fault, advice, sent }) => (
                <span className="grid gap-0.5">
                  {fault && <span className="text-bad">{fault}</span>}
                  {!fault && advice && <span className="text-warn">{advice}</span>}
                  <span className="text-ink-soft">{rule}</span>
                  {sent !== null && (
                    <code className="text-xs wrap-anywhere text-ink-faint">
                      Sent: {visibleText(sent)}
                    </code>
                  )}
                </span>
              ),
            },
          ]}
        />
      </Card>
    </>
  );
}
