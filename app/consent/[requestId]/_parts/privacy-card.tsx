import { StoredAddress } from "#app/_parts/stored-address.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import type { ConsentView } from "#server/oauth/authorize/show-request";

/** The five statements that every application makes, and the two that it should, in its owner's own words. */
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
    <Card
      title="What it says about your data"
      description={`Provided by the developer of ${name}, not reviewed by Adjutant.`}
      footer={
        <span className="flex flex-wrap gap-x-4 gap-y-1">
          <StoredAddress href={privacyUri}>Privacy policy</StoredAddress>
          <StoredAddress href={tosUri}>Terms of service</StoredAddress>
        </span>
      }
    >
      <KeyValueList
        items={statements.map(({ label, value }) => ({
          label,
          value: <span className="whitespace-pre-line">{value}</span>,
        }))}
      />
    </Card>
  );
}
