import type { ReactNode } from "react";

/** From and to are positions among the lanes. */
interface Message {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** A sequence diagram in the notation of Mermaid: `participant A` and `A->>B: label`. */
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

/** Opaque background, because lanes pass behind the text. */
const label = "fill-ink text-[11px]";

type Props = {
  diagram: string;
  /** The same in words, as items of a list. */
  children: ReactNode;
};

export function FlowFigure({ diagram, children }: Props) {
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

function Arrow({ from, to, label: words, index }: Message & { index: number }) {
  const y = top + index * rowHeight + 28;
  const ahead = to > from ? 1 : -1;
  const [start, end] = [laneAt(from), laneAt(to) - ahead * 3];
  const middle = (laneAt(from) + laneAt(to)) / 2;
  const letters = `${index + 1}. ${words}`;
  const wide = letters.length * 5.9;
  return (
    <g>
      <path d={`M${start} ${y}H${end}`} className="stroke-accent-text" strokeWidth={1.5} />
      <path
        d={`M${end - ahead * 6} ${y - 4}L${end} ${y}L${end - ahead * 6} ${y + 4}`}
        className="fill-none stroke-accent-text"
        strokeWidth={1.5}
      />
      <rect x={middle - wide / 2} y={y - 18} width={wide} height={14} className="fill-sunken" />
      <text x={middle} y={y - 7} textAnchor="middle" className={label}>
        {letters}
      </text>
    </g>
  );
}
