import { ChevronDown } from "lucide-react";
import type { MarkedToken, Token, Tokens } from "marked";
import { createElement, Fragment, type ReactNode } from "react";
import { Alert } from "#app/_ui/alert.tsx";
import { CodeBlock, CodeTabs, type Language } from "#app/_ui/code-block.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import { Steps } from "#app/_ui/steps.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { GuidePart, GuideSection } from "./guides";
import { InlineCode } from "./with-code";

/** CONTRIBUTING.md lists the Markdown that a guide may use. */
export const GuideContent = ({ title, tokens, folded }: GuideSection) => (
  <>
    <Blocks tokens={tokens} section={title} />
    {folded.map((part) => (
      <Folded key={part.id} {...part} />
    ))}
  </>
);

const Folded = ({ id, title, tokens }: GuidePart) => (
  <details id={id} className="group min-w-0 scroll-mt-6 rounded-card border border-line">
    <summary className="flex cursor-pointer items-center justify-between rounded-card px-4 py-3 font-medium hover:bg-accent-wash">
      {title}
      <ChevronDown className="size-4 text-ink-faint group-open:rotate-180" />
    </summary>
    <div className="grid gap-3 border-t border-line p-4 text-sm">
      <Blocks tokens={tokens} section={title} />
    </div>
  </details>
);

type BlocksProps = {
  tokens: readonly Token[];
  /** Section title, which names its tables and tabs. */
  section: string;
};

function Blocks({ tokens, section }: BlocksProps) {
  const shown: ReactNode[] = [];
  const left = tokens.filter(({ type }) => type !== "space") as MarkedToken[];
  for (let token = left.shift(); token; token = left.shift()) {
    if (token.type === "code") shown.push(code(token, left, section));
    else shown.push(block(token, section));
  }
  return together(shown);
}

function block(token: MarkedToken, section: string): ReactNode {
  switch (token.type) {
    case "paragraph":
      return <p className="text-ink-soft">{renderInline(token.tokens)}</p>;
    case "list":
      return list(token, section);
    case "table":
      return table(token, section);
    case "blockquote":
      return (
        <Alert tone="warn">
          {renderInline(
            token.tokens.flatMap((inner) => ("tokens" in inner ? (inner.tokens ?? []) : [])),
          )}
        </Alert>
      );
    default:
      throw new Error(`A guide has Markdown that pages do not show: ${token.raw}`);
  }
}

/** `typescript "receiver.ts"` has a visible title, `http Token request` an accessible name. */
const fence = /^(\w*) ?(?:"([^"]*)"|(.*))$/;

/**
 * Consumes from `left` the tokens that belong to the code: further tabs, or a figure's sentences.
 */
function code(token: Tokens.Code, left: MarkedToken[], section: string): ReactNode {
  const [, language = "", title, label] = fence.exec(token.lang ?? "") ?? [];
  if (language === "mermaid") {
    const [next] = left;
    const isList = next?.type === "list";
    if (isList) left.shift();
    return (
      <FlowFigure diagram={token.text}>
        {isList && next.items.map((item) => <li key={item.raw}>{renderInline(item.tokens)}</li>)}
      </FlowFigure>
    );
  }
  const samples = [{ label: title ?? "", language: language as Language, code: token.text }];
  while (title && left[0]?.type === "code") {
    const [, nextLanguage = "", nextTitle] = fence.exec(left[0].lang ?? "") ?? [];
    if (!nextTitle) break;
    samples.push({ label: nextTitle, language: nextLanguage as Language, code: left[0].text });
    left.shift();
  }
  if (samples.length > 1) return <CodeTabs label={section} samples={samples} />;
  const wrap = !title && (language === "http" || language === "shell");
  return (
    <CodeBlock
      code={token.text}
      language={language as Language}
      title={title}
      label={label}
      wrap={wrap}
    />
  );
}

/** Numbered items that start in bold are steps. */
function list({ ordered, items }: Tokens.List, section: string): ReactNode {
  const isSteps = ordered && items.every((item) => firstBold(item) !== undefined);
  if (isSteps)
    return (
      <Steps
        items={items.map((item) => {
          const [first, ...content] = item.tokens;
          const [bold, ...body] = (first as Tokens.Paragraph).tokens;
          return {
            title: (bold as Tokens.Strong).text.replace(/\.$/, ""),
            body: renderInline(body),
            content: content.length > 0 && <Blocks tokens={content} section={section} />,
          };
        })}
      />
    );
  const rows = items.map((item) => <li key={item.raw}>{renderInline(item.tokens)}</li>);
  return ordered ? (
    <ol className="grid list-decimal gap-2 pl-5 text-ink-soft">{rows}</ol>
  ) : (
    <ul className="grid list-disc gap-2 pl-5 text-ink-soft">{rows}</ul>
  );
}

function firstBold({ tokens: [first] }: Tokens.ListItem): Tokens.Strong | undefined {
  const [bold] = (first && "tokens" in first && first.tokens) || [];
  return bold?.type === "strong" ? (bold as Tokens.Strong) : undefined;
}

/** Letters. Longer cells wrap, and get lines of their own if the table does not fit. */
const longestUnwrapped = 20;

function table({ header, rows, align }: Tokens.Table, section: string): ReactNode {
  return (
    <TableCard
      caption={section}
      rows={rows}
      rowKey={(row) => row.map(({ text }) => text).join(" ")}
      columns={header.map(({ text }, at) => {
        const longest = Math.max(0, ...rows.map((row) => row[at]?.text.length ?? 0));
        const numeric = align[at] === "right";
        return {
          key: String(at),
          header: text,
          primary: at === 0,
          numeric,
          nowrap: at > 0 && longest <= longestUnwrapped,
          prose: at > 0 && !numeric && longest > longestUnwrapped,
          cell: (row: Tokens.TableCell[]) => renderInline(row[at]?.tokens ?? []),
        };
      })}
    />
  );
}

export const renderInline = (tokens: readonly Token[]): ReactNode =>
  together((tokens as readonly MarkedToken[]).map(inlinePart));

/** A fixed sequence needs no keys. */
const together = (nodes: readonly ReactNode[]): ReactNode =>
  createElement(Fragment, null, ...nodes);

/** Addresses of files, which a soft navigation cannot show. */
const file = /\.(?:md|txt|atom)$/;

function inlinePart(token: MarkedToken): ReactNode {
  switch (token.type) {
    case "text":
      return token.tokens ? renderInline(token.tokens) : token.text;
    case "paragraph":
      return renderInline(token.tokens);
    case "escape":
      return token.text;
    case "codespan":
      return <InlineCode>{token.text}</InlineCode>;
    case "strong":
      return <strong className="font-medium text-ink">{renderInline(token.tokens)}</strong>;
    case "em":
      return <em>{renderInline(token.tokens)}</em>;
    case "link":
      return (
        <TextLink href={token.href} document={file.test(token.href)}>
          {renderInline(token.tokens)}
        </TextLink>
      );
    default:
      throw new Error(`A guide has Markdown that pages do not show: ${token.raw}`);
  }
}

/** `from` and `to` are positions among the lanes. */
interface Message {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** Parses a sequence diagram in Mermaid's notation: `participant A` and `A->>B: label`. */
function parseDiagram(diagram: string): { lanes: string[]; messages: Message[] } {
  const lanes = [...diagram.matchAll(/^\s*participant (.+)$/gm)].map(([, name = ""]) => name);
  const messages = [...diagram.matchAll(/^\s*(.+?)->>(.+?): (.+)$/gm)].map(
    ([, from = "", to = "", label = ""]) => ({
      from: lanes.indexOf(from),
      to: lanes.indexOf(to),
      label,
    }),
  );
  return { lanes, messages };
}

/** Drawing units. */
const width = 340;
const top = 34;
const rowHeight = 40;
const laneAt = (lane: number) => 46 + lane * 124;

type FlowFigureProps = {
  diagram: string;
  /** The diagram in words, as list items. */
  children: ReactNode;
};

function FlowFigure({ diagram, children }: FlowFigureProps) {
  const { lanes, messages } = parseDiagram(diagram);
  const height = top + messages.length * rowHeight + 14;
  return (
    <figure className="grid items-start gap-x-8 gap-y-5 md:grid-cols-[minmax(0,25rem)_minmax(0,1fr)]">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className="w-full max-w-100 rounded-card border border-line bg-sunken font-sans"
        role="img"
        aria-label={`Messages between ${lanes.join(", ")}`}
        aria-describedby="flow-steps"
      >
        {lanes.map((name, lane) => (
          <g key={name}>
            <path
              d={`M${laneAt(lane)} ${top - 8}V${height - 8}`}
              className="stroke-line-control"
              strokeDasharray="2 4"
            />
            <rect
              x={laneAt(lane) - 40}
              y={8}
              width={80}
              height={20}
              rx={5}
              className="fill-surface stroke-line-control"
            />
            <text
              x={laneAt(lane)}
              y={22}
              textAnchor="middle"
              className="fill-ink text-[11px] font-semibold"
            >
              {name}
            </text>
          </g>
        ))}
        {messages.map((message, index) => (
          <Arrow key={message.label} {...message} index={index} />
        ))}
      </svg>
      <figcaption>
        <ol id="flow-steps" className="grid list-decimal gap-2 pl-5 text-sm text-ink-soft">
          {children}
        </ol>
      </figcaption>
    </figure>
  );
}

function Arrow({ from, to, label, index }: Message & { index: number }) {
  const y = top + index * rowHeight + 28;
  const ahead = to > from ? 1 : -1;
  const [start, end] = [laneAt(from), laneAt(to) - ahead * 3];
  const middle = (laneAt(from) + laneAt(to)) / 2;
  const letters = `${index + 1}. ${label}`;
  const wide = letters.length * 5.9;
  return (
    <g>
      <path d={`M${start} ${y}H${end}`} className="stroke-accent-text" strokeWidth={1.5} />
      <path
        d={`M${end - ahead * 6} ${y - 4}L${end} ${y}L${end - ahead * 6} ${y + 4}`}
        className="fill-none stroke-accent-text"
        strokeWidth={1.5}
      />
      {/* Hides the lane behind the text. */}
      <rect x={middle - wide / 2} y={y - 18} width={wide} height={14} className="fill-sunken" />
      <text x={middle} y={y - 7} textAnchor="middle" className="fill-ink text-[11px]">
        {letters}
      </text>
    </g>
  );
}
