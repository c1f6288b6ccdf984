import { answerOf, type Binned, binned, growTree, type Tree } from "./tree";

/** What trees are grown on: standardised features, and what is left to explain. */
export interface Leftover {
  readonly rows: readonly Float64Array[];
  readonly residuals: Float64Array;
  readonly weights: Float64Array;
  /** A bound pulls upwards alone: what is above it is no error. */
  readonly lowerBound: readonly boolean[];
}

export interface BoostOptions {
  readonly most: number;
  readonly depth: number;
  readonly learningRate: number;
  readonly penalty: number;
  /** Trees that may bring nothing before the growing stops. */
  readonly patience: number;
  /** Lets others have the processor between two trees. */
  readonly pause: () => Promise<void>;
}

/** Grows trees one after the other, each on what those before left, as long as it helps on rows that they do not see. */
export async function boostTrees(train: Leftover, held: Leftover, options: BoostOptions): Promise<Tree[]> {
  const data: Binned = binned(train.rows);
  const members = Uint32Array.from(train.rows, (_, at) => at);
  const left = Float64Array.from(train.residuals);
  const heldLeft = Float64Array.from(held.residuals);
  const trees: Tree[] = [];
  let [best, bestCount] = [squaredError(heldLeft, held), 0];
  while (trees.length < options.most && trees.length - bestCount < options.patience) {
    await options.pause();
    const residuals = left.map((value, at) => (train.lowerBound[at] ? Math.max(0, value) : value));
    const given = { residuals, weights: train.weights, penalty: options.penalty };
    const tree = growTree(data, given, { members, depth: options.depth });
    trees.push(tree);
    const take = (from: Float64Array, rows: readonly Float64Array[]) => {
      for (const [at, row] of rows.entries()) from[at] = (from[at] ?? 0) - options.learningRate * answerOf(tree, row);
    };
    take(left, train.rows);
    take(heldLeft, held.rows);
    const error = squaredError(heldLeft, held);
    if (error < best) [best, bestCount] = [error, trees.length];
  }
  return trees.slice(0, bestCount);
}

function squaredError(left: Float64Array, { weights, lowerBound }: Leftover): number {
  return left.reduce((sum, value, at) => {
    const missed = lowerBound[at] ? Math.max(0, value) : value;
    return sum + (weights[at] ?? 0) * missed * missed;
  }, 0);
}
