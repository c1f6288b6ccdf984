import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { EventTypesField } from "../../_parts/event-choice";
import { type EndpointProps, requireEndpoint } from "../../_parts/own-endpoint";

export const metadata: Metadata = { title: "Events of a webhook endpoint" };

export default async function EndpointEvents({ params, searchParams }: EndpointProps) {
  const { application, endpoint, page } = await requireEndpoint(params);
  if (!application) notFound();
  return (
    <>
      <FormNotice
        searchParams={searchParams}
        done={{ change: "Events and description are saved." }}
        refused="Nothing was saved"
      />
      <Card
        title="Events and description"
        description={`Sent in the form of version ${endpoint.version}.`}
      >
        <CsrfForm action={`${page}/act`} fields={{ act: "change" }} className="grid gap-5">
          <InputField
            name="description"
            label="Description"
            required={false}
            autoComplete="off"
            maxLength={100}
            defaultValue={endpoint.description}
          />
          <EventTypesField
            clientId={application.clientId}
            scopes={application.scopes}
            chosen={endpoint.types}
          />
          <div>
            <Button type="submit" variant="primary">
              Save events
            </Button>
          </div>
        </CsrfForm>
      </Card>
    </>
  );
}
