import type { Metadata } from "next";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { failureKinds } from "#server/failures";
import { FailureTable } from "../_parts/tables";
import { InlineCode } from "../_parts/with-code";

export const metadata: Metadata = { title: "Errors" };

const example = `{
  "code": 4004,
  "name": "InsufficientPermissions",
  "message": "The access token lacks the scope identity, which this call needs.",
  "details": {
    "message": "The access token lacks the scope identity, which this call needs.",
    "required": ["identity"],
    "granted": [],
    "missing": ["identity"]
  }
}`;

export default function Errors() {
  const byCode = [...failureKinds].sort((a, b) => a.code - b.code || a.status - b.status);
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Errors"
        lead="Every API error is JSON in one shape. Distinguish errors by the code; the message is for people and may change."
      />
      <CodeBlock title="403 Forbidden" language="json" code={example} />
      <p className="max-w-prose text-ink-soft">
        <InlineCode>details</InlineCode> is present where it helps, and always has a{" "}
        <InlineCode>message</InlineCode>. Errors of <InlineCode>/oauth/token</InlineCode> have the
        shape of RFC 6749 instead: see the{" "}
        <TextLink href="/docs/oauth#errors">OAuth guide</TextLink>.
      </p>
      <FailureTable caption="All errors" failures={byCode} />
    </div>
  );
}
