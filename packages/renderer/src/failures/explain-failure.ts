import { ApiError } from '@parley/client';
import type { FailureContext } from './cause-text.ts';
import { temporaryErrorText } from './temporary-error-text.ts';

/**
 * Resolves to a sentence or two that say why a call failed and what helps; undefined if the cause is not known. Never
 * rejects.
 */
export async function explainFailure(
  context: FailureContext,
  error: unknown,
): Promise<string | undefined> {
  const common = temporaryErrorText(context.i18n.t, error);
  if (!(error instanceof ApiError)) return common;
  const isCommon = common !== undefined && !error.isIntercepted && !error.isNetworkLimited;
  if (isCommon) return common;
  // Most users never need these texts. They may be unreachable as well.
  const rare = await import('./cause-text.ts')
    .then(({ loadCauseText }) => loadCauseText(context, error))
    .catch(() => undefined);
  return rare ?? common;
}
