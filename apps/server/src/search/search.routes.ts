import type { App, Context } from '../context.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { toMessage } from '../messages/message.wire.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { settleCost } from '../plugins/rate-limits.ts';
import { parseConditions } from './parse-conditions.ts';
import { createEffort, type Effort } from './search-effort.ts';
import { searchMessages } from './search.service.ts';

// Milliseconds of work, by which searches are limited. A search that is continued over many pages takes far more than
// one whose words are found at once.
/** What each request takes in addition to its search. */
const REQUEST_COST = 5;
/** Reserved until it is known how long a search has taken: few take longer. */
const RESERVED_COST = 200;

/** Registers the endpoint to search messages. */
export function registerSearchRoutes(app: App, ctx: Context): void {
  registerEndpoint(
    app,
    'searchMessages',
    async (request) => {
      let effort: Effort | undefined;
      try {
        const { userId } = getCurrentSession(request);
        const conditions = parseConditions(request.body);
        effort = createEffort(conditions.words);
        const found = await searchMessages(ctx, userId, conditions, effort);
        const hits = found.hits.map((hit) => ({
          ...hit,
          message: toMessage(ctx.config, hit.message),
        }));
        return { ...found, hits };
      } finally {
        // A search that fails late has taken as long as one that succeeds.
        settleCost(request, REQUEST_COST + (effort?.milliseconds ?? 0));
      }
    },
    { config: { cost: () => RESERVED_COST } },
  );
}
