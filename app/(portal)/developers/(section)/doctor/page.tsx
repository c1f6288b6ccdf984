import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { formatNumber } from "#app/_lib/format";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { TextareaField } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { longestPasted } from "#server/oauth/clients/read-pasted";
import { refusalOf } from "#server/trpc/refusal";
import { DiagnosisResult } from "./_parts/diagnosed";

export const metadata: Metadata = { title: "Doctor" };

/** The pasted request is only examined, never sent. */
export default async function Doctor({ searchParams }: PageProps) {
  await requireUser();
  const asked = await readParam(searchParams, "ask");
  const answer = asked ? await examine(asked) : undefined;
  return (
    <>
      <PageHeader
        title="Doctor"
        lead="Paste the authorization URL that your application sends players to, the URL at which they came back, a call of the API as a curl line, a token, or the request ID of a response."
      />
      <Card>
        <CsrfForm action="/developers/doctor/question" className="grid gap-4">
          <TextareaField
            name="ask"
            label="URL, curl line, token or request ID"
            hint="Checked here; nothing is called or opened. Only your own applications are searched, and secrets are replaced by their hashes."
            code
            rows={4}
            maxLength={longestPasted}
            defaultValue={asked}
            placeholder="https://…/oauth/authorize?response_type=code&client_id=…"
          />
          <div>
            <Button type="submit" variant="primary">
              Check
            </Button>
          </div>
        </CsrfForm>
      </Card>
      <FormNotice searchParams={searchParams} done={{}} wrong={{ "too-long": tooLong }} />
      {answer?.found && <DiagnosisResult found={answer.found} />}
      {answer?.refused && <Alert tone="warn">{answer.refused}</Alert>}
    </>
  );
}

const tooLong = `Too long: enter at most ${formatNumber(longestPasted)} characters.`;

async function examine(text: string) {
  if (text.length > longestPasted) return { refused: tooLong };
  try {
    return { found: await (await caller()).doctor.examine({ text }) };
  } catch (thrown) {
    const { message } = refusalOf(thrown);
    if (message === undefined) throw thrown;
    return { refused: message };
  }
}
