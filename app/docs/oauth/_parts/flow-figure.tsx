import { DocSection } from "../../_parts/doc-page";
import { WithCode } from "../../_parts/with-code";

type Lane = 0 | 1 | 2;

/** In order; labels in the picture, sentences beside it. */
const steps: readonly { from: Lane; to: Lane; label: string; sentence: string }[] = [
  {
    from: 1,
    to: 0,
    label: "redirect",
    sentence: "Your application sends the player's browser to `/oauth/authorize`.",
  },
  {
    from: 0,
    to: 2,
    label: "authorize",
    sentence: "The browser asks, with `state` and a PKCE challenge.",
  },
  {
    from: 2,
    to: 0,
    label: "sign in, approve",
    sentence: "Adjutant asks the player to sign in and to approve.",
  },
  {
    from: 0,
    to: 1,
    label: "code",
    sentence: "The browser comes back to your redirect URI with a code and your `state`.",
  },
  {
    from: 1,
    to: 2,
    label: "code + verifier",
    sentence: "Your application exchanges the code at `/oauth/token`.",
  },
  {
    from: 2,
    to: 1,
    label: "access token",
    sentence: "The reply has an access token, and a refresh token if you keep a secret.",
  },
  {
    from: 1,
    to: 2,
    label: "Bearer token",
    sentence: "Your application calls the API in the player's name.",
  },
  { from: 2, to: 1, label: "JSON", sentence: "The API answers with what the scopes cover." },
];

const lanes = ["Browser", "Your app", "Adjutant"] as const;
/** Drawing units. */
const width = 340;
const top = 34;
const rowHeight = 40;
const height = top + steps.length * rowHeight + 14;
const laneAt = (lane: Lane) => 46 + lane * 124;

/** Opaque background, because lanes pass behind the text. */
const label = "fill-ink text-[11px]";

/** A picture, and the same in words. */
export function FlowFigure() {
  return (
    <DocSection id="flow" title="The flow">
      <figure className="grid items-start gap-x-8 gap-y-5 md:grid-cols-[minmax(0,25rem)_minmax(0,1fr)]">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          className="w-full max-w-100 rounded-card border border-line bg-sunken font-sans"
          role="img"
          aria-label="Messages between browser, application and Adjutant"
          aria-describedby="flow-steps"
        >
          {lanes.map((name, lane) => (
            <g key={name}>
              <path
                d={`M${laneAt(lane as Lane)} ${top - 8}V${height - 8}`}
                className="stroke-line-control"
                strokeDasharray="2 4"
              />
              <rect
                x={laneAt(lane as Lane) - 40}
                y={8}
                width={80}
                height={20}
                rx={5}
                className="fill-surface stroke-line-control"
              />
              <text
                x={laneAt(lane as Lane)}
                y={22}
                textAnchor="middle"
                className="fill-ink text-[11px] font-semibold"
              >
                {name}
              </text>
            </g>
          ))}
          {steps.map((step, index) => (
            <Message key={step.sentence} {...step} index={index} />
          ))}
        </svg>
        <figcaption>
          <ol id="flow-steps" className="grid list-decimal gap-2 pl-5 text-sm text-ink-soft">
            {steps.map(({ sentence }) => (
              <li key={sentence}>
                <WithCode text={sentence} />
              </li>
            ))}
          </ol>
        </figcaption>
      </figure>
    </DocSection>
  );
}

function Message({
  from,
  to,
  label: words,
  index,
}: {
  from: Lane;
  to: Lane;
  label: string;
  index: number;
}) {
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
