/** The mean of ln score by level band: what anybody could say without a model. */
export function levelBaseline(
  rows: readonly { level: number | null; target: number }[],
): (level: number | null) => number {
  const bandOf = (level: number | null) => (level === null ? -1 : Math.floor(level / 5));
  const bands = new Map<number, { sum: number; count: number }>();
  for (const { level, target } of rows) {
    const band = bands.get(bandOf(level)) ?? { sum: 0, count: 0 };
    bands.set(bandOf(level), { sum: band.sum + target, count: band.count + 1 });
  }
  const all = rows.reduce((sum, { target }) => sum + target, 0) / Math.max(1, rows.length);
  return (level) => {
    const band = bands.get(bandOf(level));
    return band ? band.sum / band.count : all;
  };
}
