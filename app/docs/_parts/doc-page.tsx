import type { ComponentProps, ReactNode } from "react";
import { TableCard } from "#app/_ui/data-table.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { FailureKind } from "#server/failures";
import type { SchemaField } from "./describe-endpoint";
import { WithCode } from "./with-code";

export interface DocPart {
  readonly id: string;
  readonly title: string;
  readonly content: ReactNode;
}

type DocPageProps = ComponentProps<typeof PageHeader> & {
  /** Shown before the sections. */
  children?: ReactNode;
  sections: readonly DocPart[];
};

export function DocPage({ children, sections, ...header }: DocPageProps) {
  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_10rem] xl:grid-rows-[auto_1fr]">
      <PageHeader {...header} />
      <nav aria-label="On this page" className="xl:col-start-2 xl:row-span-2 xl:row-start-1">
        <div className="xl:sticky xl:top-6 xl:max-h-[calc(100dvh-3rem)] xl:overflow-y-auto xl:border-l xl:border-line xl:pl-4">
          <p className="text-sm font-medium max-xl:sr-only">On this page</p>
          <ul className="flex flex-wrap gap-x-4 gap-y-2 text-sm xl:mt-2 xl:flex-col">
            {sections.map(({ id, title }) => (
              <li key={id}>
                <TextLink href={`#${id}`}>{title}</TextLink>
              </li>
            ))}
          </ul>
        </div>
      </nav>
      <div className="grid content-start gap-10">
        {children}
        {sections.map(({ id, title, content }) => (
          <DocSection key={id} id={id} title={title}>
            {content}
          </DocSection>
        ))}
      </div>
    </div>
  );
}

type DocSectionProps = { id: string; title: ReactNode; children: ReactNode };

export function DocSection({ id, title, children }: DocSectionProps) {
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-3">
      <h2 id={id} className="scroll-mt-6 text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

type FieldTableProps = { caption: string; fields: readonly SchemaField[] };

export function FieldTable({ caption, fields }: FieldTableProps) {
  return (
    <TableCard
      caption={caption}
      rows={fields}
      rowKey={({ name }) => name}
      columns={[
        {
          header: "Name",
          primary: true,
          cell: ({ name, needed }) => (
            <>
              <code className="text-sm">{name}</code>
              {needed && <span className="ml-2 text-xs text-ink-faint">required</span>}
            </>
          ),
        },
        { header: "Type", cell: ({ type }) => type },
        {
          header: "Means",
          prose: true,
          cell: ({ description, absent }) => (
            <WithCode
              text={[description, absent && `Absent: \`${absent}\`.`].filter(Boolean).join(" ")}
            />
          ),
        },
      ]}
    />
  );
}

type FailureTableProps = { caption: string; failures: readonly FailureKind[] };

export function FailureTable({ caption, failures }: FailureTableProps) {
  return (
    <TableCard
      caption={caption}
      rows={failures}
      rowKey={({ code, status }) => `${code}-${status}`}
      columns={[
        {
          header: "Name",
          primary: true,
          cell: ({ code, name }) => (
            <TextLink href={`/docs/errors/${code}`} className="font-medium">
              {name}
            </TextLink>
          ),
        },
        { header: "Code", numeric: true, cell: ({ code }) => code },
        { header: "Status", numeric: true, cell: ({ status }) => status },
        { header: "Message", prose: true, cell: ({ message }) => message },
      ]}
    />
  );
}
