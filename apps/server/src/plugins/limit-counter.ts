import { createHmac } from 'node:crypto';
import type { SharedCounter, SharedCounters } from '../storage/cluster.ts';
import type { Rule, Subject } from './rate-limit-rules.ts';
import { createWindowCounter, type WindowCounter } from './window-counter.ts';

/** What undoes or changes the consumption of a request. */
export interface AcceptedConsumption {
  readonly retryAfter?: undefined;
  readonly refund: () => void | Promise<void>;
  /** Replaces the cost. Only for requests that have one. */
  readonly settle?: (cost: number) => void;
}

/** What rejected a request. */
export interface RejectedConsumption {
  /** Seconds after which the request may be repeated. */
  readonly retryAfter: number;
  /** What the rule counts by that rejected it. */
  readonly by: Subject;
}

/** The consumption of a request, or what rejected it. */
export type Consumption = RejectedConsumption | AcceptedConsumption;

/** Returns a request's subject of a kind. */
export type FindSubject = (by: Subject) => string;

/** Counts what requests consume of a set of rules. */
export interface LimitCounter {
  /** Consumes `cost` of every rule that applies. A rejected request consumes nothing. */
  consume(findSubject: FindSubject, cost?: number): Consumption | Promise<Consumption>;
}

/** A rule with its counter. */
interface CountedRule {
  readonly rule: Rule;
  readonly counter: WindowCounter;
  readonly onlyAfter: CountedRule | undefined;
}

/** Creates a counter for the requests of this process. */
export function createLocalLimitCounter(rules: readonly Rule[]): LimitCounter {
  const countedRules = rules.map(createCountedRule);
  return {
    consume(findSubject, cost = 1) {
      const consumed: ((cost: number) => void)[] = [];
      const settle = (after: number): void => {
        for (const replace of consumed) replace(after);
      };
      const consumeRule = ({ rule, counter }: CountedRule): number | undefined => {
        const consumption = counter.consume(findSubject(rule.by), cost);
        if (consumption.retryAfter === undefined) consumed.push(consumption.settle);
        return consumption.retryAfter;
      };
      for (const counted of countedRules) {
        const { onlyAfter } = counted;
        const isActive = onlyAfter === undefined || consumeRule(onlyAfter) !== undefined;
        const retryAfter = consumeRule(counted);
        if (retryAfter === undefined || !isActive) continue;
        settle(0);
        return { retryAfter, by: counted.rule.by };
      }
      return { refund: () => settle(0), settle };
    },
  };
}

function createCountedRule(rule: Rule): CountedRule {
  const counter = createWindowCounter(rule.max, rule.per);
  return { rule, counter, onlyAfter: rule.onlyAfter && createCountedRule(rule.onlyAfter) };
}

/**
 * Creates a counter for the requests of all servers on a database. Each request costs 1.
 * @param name distinguishes the counter from others.
 * @param secret hashes subjects, so that the database contains no email or IP addresses.
 */
export function createSharedLimitCounter(
  name: string,
  rules: readonly Rule[],
  counters: SharedCounters,
  secret: string,
): LimitCounter {
  function toCounter({ by, max, per }: Rule, id: string, findSubject: FindSubject): SharedCounter {
    const text = [name, id, findSubject(by)].join('\0');
    const key = createHmac('sha256', secret).update(text).digest('base64url');
    return { key, max, duration: per * 1000 };
  }

  return {
    async consume(findSubject) {
      const charges = rules.map((rule, index) => ({
        by: rule.by,
        counter: toCounter(rule, `${index}`, findSubject),
        onlyAfter: rule.onlyAfter && toCounter(rule.onlyAfter, `${index} after`, findSubject),
      }));
      const findRejecting = (exhausted: ReadonlyMap<string, number>) =>
        charges.find(
          ({ counter, onlyAfter }) =>
            exhausted.has(counter.key) && (onlyAfter === undefined || exhausted.has(onlyAfter.key)),
        );
      const all = charges.flatMap(({ counter, onlyAfter }) => [counter, onlyAfter ?? []].flat());
      const exhausted = await counters.use(all, (keys) => findRejecting(keys) === undefined);
      const rejecting = findRejecting(exhausted);
      if (rejecting !== undefined) {
        const remainingTime = exhausted.get(rejecting.counter.key) ?? 0;
        return { retryAfter: Math.max(1, Math.ceil(remainingTime / 1000)), by: rejecting.by };
      }
      const used = all.filter(({ key }) => !exhausted.has(key));
      return { refund: () => counters.refund(used) };
    },
  };
}
