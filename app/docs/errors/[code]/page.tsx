import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { PageProps } from "#app/_lib/search-params";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { failureKinds } from "#server/failures";
import { failuresOf } from "#server/rest/openapi-operation";
import { routes } from "#server/routes";
import { referencePath } from "../../_parts/describe-endpoint";
import { WithCode } from "../../_parts/with-code";

const kindsOf = (code: string) => failureKinds.filter((kind) => String(kind.code) === code);

export async function generateMetadata({ params }: PageProps<"code">): Promise<Metadata> {
  const [kind] = kindsOf((await params).code);
  return { title: kind ? `${kind.code} ${kind.name}` : "No such error" };
}

export default async function ErrorPage({ params }: PageProps<"code">) {
  const kinds = kindsOf((await params).code);
  const [kind] = kinds;
  if (!kind) notFound();
  const thrownBy = routes.filter((endpoint) =>
    failuresOf(endpoint).some(({ code }) => code === kind.code),
  );
  const everywhere = thrownBy.length === routes.length;
  return (
    <>
      <PageHeader
        title={
          <>
            <span className="tabular text-ink-faint">{kind.code}</span> {kind.name}
          </>
        }
        trail={[{ label: "Errors", href: "/docs/errors" }]}
        status={[...new Set(kinds.map(({ status }) => status))].map((status) => (
          <Badge key={status}>HTTP {status}</Badge>
        ))}
      />
      <Card>
        <KeyValueList
          items={[
            {
              label: "What happened",
              wide: true,
              value: [...new Set(kinds.map(({ message }) => message))].join(" "),
            },
            { label: "Why", wide: true, value: <WithCode text={kind.why} /> },
            { label: "What to do", wide: true, value: <WithCode text={kind.todo} /> },
            ...(thrownBy.length === 0
              ? []
              : [
                  {
                    label: "Returned by",
                    wide: true,
                    value: everywhere ? (
                      "Every endpoint"
                    ) : (
                      <ul>
                        {thrownBy.map((endpoint) => (
                          <li key={endpoint.title}>
                            <TextLink href={referencePath(endpoint)}>{endpoint.title}</TextLink>
                          </li>
                        ))}
                      </ul>
                    ),
                  },
                ]),
          ]}
        />
      </Card>
    </>
  );
}
