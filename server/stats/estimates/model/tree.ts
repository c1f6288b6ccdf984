/** A node of a regression tree as plain data: a question with two ways on, or a value. */
export type Tree =
  | { readonly value: number }
  | { readonly feature: number; readonly below: number; readonly yes: Tree; readonly no: Tree };

/** Rows sorted into bins by feature, so that a split is looked for between bins and not between rows. */
export interface Binned {
  /** By feature: the bin of each row. */
  readonly bins: readonly Uint8Array[];
  /** By feature: the upper edge of each bin but the last. */
  readonly edges: readonly Float64Array[];
}

const mostBins = 32;
const leastWeightOfLeaf = 20;

/** Sorts rows of standardised features into bins of about equal size. */
export function binned(rows: readonly Float64Array[]): Binned {
  const width = rows[0]?.length ?? 0;
  const [bins, edges]: [Uint8Array[], Float64Array[]] = [[], []];
  for (let feature = 0; feature < width; feature++) {
    const values = Float64Array.from(rows, (row) => row[feature] ?? 0).sort();
    const steps = Array.from(
      { length: mostBins - 1 },
      (_, bin) => values[Math.floor(((bin + 1) * values.length) / mostBins)],
    ).filter((edge) => edge !== undefined);
    const unique = Float64Array.from(new Set(steps));
    edges.push(unique);
    bins.push(Uint8Array.from(rows, (row) => unique.filter((edge) => (row[feature] ?? 0) >= edge).length));
  }
  return { bins, edges };
}

/** What a tree answers for one row of standardised features. */
export function answerOf(tree: Tree, row: Float64Array): number {
  let node = tree;
  while (!("value" in node)) node = (row[node.feature] ?? 0) < node.below ? node.yes : node.no;
  return node.value;
}

interface Split {
  readonly feature: number;
  readonly bin: number;
  readonly gain: number;
}

/** Grows a tree of at most `depth` questions in a row that explains `residuals` of the rows named by `members`. */
export function growTree(
  data: Binned,
  given: { readonly residuals: Float64Array; readonly weights: Float64Array; readonly penalty: number },
  at: { readonly members: Uint32Array; readonly depth: number },
): Tree {
  const { members, depth } = at;
  let [sum, weight] = [0, 0];
  for (const row of members) {
    sum += (given.weights[row] ?? 0) * (given.residuals[row] ?? 0);
    weight += given.weights[row] ?? 0;
  }
  const leaf = { value: sum / (weight + given.penalty) };
  const split = depth === 0 ? null : bestSplit(data, given, { members, sum, weight });
  if (!split) return leaf;
  const { feature, bin } = split;
  const isBelow = (row: number) => (data.bins[feature]?.[row] ?? 0) <= bin;
  const grow = (side: Uint32Array) => growTree(data, given, { members: side, depth: depth - 1 });
  return {
    feature,
    below: data.edges[feature]?.[bin] ?? 0,
    yes: grow(members.filter(isBelow)),
    no: grow(members.filter((row) => !isBelow(row))),
  };
}

function bestSplit(
  data: Binned,
  { residuals, weights, penalty }: { residuals: Float64Array; weights: Float64Array; penalty: number },
  node: { members: Uint32Array; sum: number; weight: number },
): Split | null {
  const worth = (sum: number, weight: number) => (sum * sum) / (weight + penalty);
  const whole = worth(node.sum, node.weight);
  let best: Split | null = null;
  for (const [feature, bins] of data.bins.entries()) {
    const [sums, counts] = [new Float64Array(mostBins), new Float64Array(mostBins)];
    for (const row of node.members) {
      const bin = bins[row] ?? 0;
      sums[bin] = (sums[bin] ?? 0) + (weights[row] ?? 0) * (residuals[row] ?? 0);
      counts[bin] = (counts[bin] ?? 0) + (weights[row] ?? 0);
    }
    let [sum, weight] = [0, 0];
    for (let bin = 0; bin < (data.edges[feature]?.length ?? 0); bin++) {
      sum += sums[bin] ?? 0;
      weight += counts[bin] ?? 0;
      if (weight < leastWeightOfLeaf || node.weight - weight < leastWeightOfLeaf) continue;
      const gain = worth(sum, weight) + worth(node.sum - sum, node.weight - weight) - whole;
      if (gain > (best?.gain ?? 1e-9)) best = { feature, bin, gain };
    }
  }
  return best;
}
