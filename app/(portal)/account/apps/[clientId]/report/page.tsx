import { orNotFound } from "#app/_lib/caller";
import { playerCaller } from "#app/_lib/current-user";
import { formatNumber } from "#app/_lib/format";
import { type PageProps, readParams } from "#app/_lib/search-params";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { TextareaField } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { RadioCards } from "#app/_ui/radio-cards.tsx";
import { Time } from "#app/_ui/time.tsx";
import { longestReport, reportReasons } from "#server/oauth/reports/contract";

export const metadata = { title: "Report an application" };

export default async function ReportApplication({ params, searchParams }: PageProps<"clientId">) {
  const { clientId } = await params;
  const { name, open } = await orNotFound((await playerCaller()).consents.reportForm({ clientId }));
  const names = ["error", "done", "reason", "text"] as const;
  const { error, done, ...typed } = await readParams(searchParams, names);
  return (
    <>
      <PageHeader
        trail={[{ label: "Connected apps", href: "/account/apps" }]}
        title={
          <>
            Report <bdi>{name}</bdi>
          </>
        }
        lead="Admins of Adjutant read it. The developer does not learn who reported it."
      />
      <FormNotice
        searchParams={searchParams}
        done={{ sent: "Sent. You get a notice when an admin has looked into it." }}
        wrong={{
          reason: "Not sent: choose a reason.",
          text: "Not sent: the text is too long, or has characters that cannot be stored.",
        }}
      />
      {open && !done && (
        <Alert tone="neutral">
          You reported it <Time at={open.reportedAt} />. If you send it again, it replaces that
          report.
        </Alert>
      )}
      <Card>
        <CsrfForm action={`/account/apps/${clientId}/report/send`} className="grid gap-5">
          <RadioCards
            name="reason"
            legend="What is wrong?"
            options={Object.entries(reportReasons).map(([value, label]) => ({ value, label }))}
            defaultValue={typed.reason ?? open?.reason ?? ""}
            error={error === "reason" ? "Choose a reason." : undefined}
          />
          <TextareaField
            name="text"
            label="What happened"
            required={false}
            hint={`At most ${formatNumber(longestReport)} characters. No keys or passwords.`}
            maxLength={longestReport}
            defaultValue={typed.text ?? open?.text}
          />
          <div>
            <Button type="submit" variant="primary">
              {open ? "Change report" : "Send report"}
            </Button>
          </div>
        </CsrfForm>
      </Card>
    </>
  );
}
