type Props = { values: readonly number[] };

const width = 96;
const height = 24;

/** A line of values in the size of a word. What it says stands in figures beside it. */
export function Sparkline({ values }: Props) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least || 1;
  const step = width / Math.max(1, values.length - 1);
  const places = values.map(
    (value, index) =>
      `${(index * step).toFixed(1)} ${(height - 2 - ((value - least) / span) * (height - 4)).toFixed(1)}`,
  );
  if (places.length < 2) return null;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="inline-block h-6 w-24" aria-hidden="true">
      <path d={`M${places.join("L")}`} className="fill-none stroke-accent" strokeWidth={1.5} strokeLinejoin="round" />
    </svg>
  );
}
