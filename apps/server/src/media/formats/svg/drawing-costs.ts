import { TooComplexMediaError } from '../byte-source.ts';

/** The maximum costs of an SVG after following every reference. */
const BUDGET = {
  /** Elements that are drawn or referenced. */
  elements: 20_000,
  /** Characters of attributes, counted each time their element is drawn. */
  data: 20_000_000,
  /** Points of shapes. */
  points: 250_000,
  characters: 20_000,
  dashes: 200_000,
  /** How many times the whole image is painted over. */
  layers: 500,
  /** Filter steps, counted each time another step uses their result. */
  filterSteps: 5_000,
  /** Pixels of embedded images, counted each time one is drawn. */
  pixels: 50_000_000,
};

/** An amount of each cost. */
type Costs = { -readonly [Key in keyof typeof BUDGET]: number };

const NO_COSTS: Costs = {
  elements: 0,
  data: 0,
  points: 0,
  characters: 0,
  dashes: 0,
  layers: 0,
  filterSteps: 0,
  pixels: 0,
};

/** The costs of a drawing so far. */
export interface DrawingCosts {
  /**
   * Adds to a cost. An amount that is not a number exhausts the budget.
   * @throws {TooComplexMediaError} if the cost exceeds its budget
   */
  spend(kind: keyof Costs, amount: number): void;
  /** Runs `work`, which adds to the costs, and returns what it added. */
  costOf(work: () => void): Costs;
  /** Runs `work` once and counts its costs `times` times. */
  repeat(times: number, work: () => void): void;
}

/** Creates costs of zero. */
export function createDrawingCosts(): DrawingCosts {
  const costs = { ...NO_COSTS };

  function spend(kind: keyof Costs, amount: number): void {
    costs[kind] += Number.isNaN(amount) ? BUDGET[kind] : Math.max(0, amount);
    if (costs[kind] > BUDGET[kind]) throw new TooComplexMediaError(`too many ${kind}`);
  }

  function costOf(work: () => void): Costs {
    const before = { ...costs };
    work();
    const cost = { ...NO_COSTS };
    for (const key of keys(cost)) cost[key] = costs[key] - before[key];
    return cost;
  }

  return {
    spend,
    costOf,
    repeat: (times, work) => {
      const cost = costOf(work);
      for (const key of keys(cost)) spend(key, cost[key] * (times - 1));
    },
  };
}

function keys(costs: Costs): (keyof Costs)[] {
  return Object.keys(costs) as (keyof Costs)[];
}
