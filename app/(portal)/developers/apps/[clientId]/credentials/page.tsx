import type { Metadata } from "next";
import { ownApplication } from "#app/_lib/current-user";
import { Interactive, prefetcher } from "#app/_parts/interactive.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { Secrets } from "../_parts/secrets";

type Props = { params: Promise<{ clientId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return {
    title: `Credentials of ${(await ownApplication((await params).clientId, "secrets")).name}`,
  };
}

export default async function Credentials({ params }: Props) {
  const { clientId, kind } = await ownApplication((await params).clientId, "secrets");
  await (await prefetcher()).applications.get.fetch({ clientId });
  return (
    <div className="grid gap-6">
      <h2 className="sr-only">Credentials</h2>
      <Card title="Client ID" description="Identifies your application; safe to publish.">
        <KeyValueList
          items={[
            {
              label: "Client ID",
              value: <code className="font-mono text-sm">{clientId}</code>,
              copy: clientId,
            },
            {
              label: "Client authentication",
              value:
                kind === "public" ? (
                  <>
                    <code className="font-mono text-sm">none</code>, always with PKCE
                  </>
                ) : (
                  <code className="font-mono text-sm">client_secret_basic</code>
                ),
            },
          ]}
        />
      </Card>
      {kind === "confidential" && (
        <Interactive>
          <Secrets clientId={clientId} />
        </Interactive>
      )}
    </div>
  );
}
