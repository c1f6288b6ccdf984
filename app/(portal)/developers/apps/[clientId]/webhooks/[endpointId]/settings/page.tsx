import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { formatNumber } from "#app/_lib/format";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { ClientProviders } from "#app/_parts/interactive.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { mostKeepDays } from "#server/webhooks/contract";
import type { EndpointView } from "#server/webhooks/endpoint-views";
import { RotateSecretForm } from "../../_parts/endpoint-acts";
import { type EndpointProps, requireEndpoint } from "../../_parts/own-endpoint";
import { VerifyEndpointForm } from "../../_parts/verify";

export const metadata: Metadata = { title: "Settings of a webhook endpoint" };

export default async function EndpointSettings({ params, searchParams }: EndpointProps) {
  const { endpoint, key, page } = await requireEndpoint(params);
  const { confirmed } = await (await caller()).confirmation.show();
  return (
    <ClientProviders>
      <FormNotice searchParams={searchParams} done={{}} refused="Nothing was changed" />
      {!confirmed && (
        <noscript>
          <Alert tone="warn">
            To change the URL, first{" "}
            <TextLink href={`/confirm?next=${encodeURIComponent(`${page}/settings`)}`}>
              confirm that it's you
            </TextLink>
            .
          </Alert>
        </noscript>
      )}
      <Card title="URL" description="A new URL must be verified. Events wait until then.">
        <CsrfForm
          action={`${page}/act`}
          fields={{ act: "move" }}
          className="flex flex-wrap items-end gap-3"
        >
          <InputField
            name="url"
            label="URL"
            className="min-w-0 flex-1 basis-64"
            code
            inputMode="url"
            autoComplete="off"
            maxLength={2_000}
            defaultValue={endpoint.url}
          />
          <Button type="submit">Save URL</Button>
        </CsrfForm>
      </Card>
      <Card id="secret" title="Secret" description={<SecretInWords endpoint={endpoint} />}>
        <RotateSecretForm
          {...key}
          mostDays={mostKeepDays}
          hasPrevious={endpoint.previousUntil !== null}
          isLost={endpoint.secretLost}
        />
      </Card>
      {endpoint.state !== "unverified" && !endpoint.secretLost && (
        <Card
          title="Verification"
          description="Sends the two requests once more: one to answer with its code, and one with a wrong signature."
        >
          <VerifyEndpointForm {...key} isVerified />
        </Card>
      )}
      <Card
        tone="danger"
        title="Remove endpoint"
        description="Its deliveries and waiting events are deleted."
      >
        <ConfirmButton
          label="Remove endpoint"
          consequences={`Nothing more is sent to ${endpoint.url}, and its secret ends. ${formatNumber(endpoint.waiting)} waiting.`}
          action={`${page}/act`}
          fields={{ act: "remove" }}
        />
      </Card>
    </ClientProviders>
  );
}

function SecretInWords({
  endpoint: { secretSince, secretLost, previousUntil },
}: {
  endpoint: EndpointView;
}) {
  if (secretLost) return <>We can no longer read it, so nothing can be signed. Make a new one.</>;
  return (
    <>
      In use since <Time at={secretSince} />.
      {previousUntil && (
        <>
          {" "}
          The one before it signs as well and ends <Time at={previousUntil} />: until then you can
          only rotate a secret that leaked.
        </>
      )}
    </>
  );
}
