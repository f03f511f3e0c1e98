import type { ErrorCode, ErrorResponse } from '@parley/contract';
import { fillPlural, loadEveryLanguage, type Language, type TextFiles } from '@parley/texts';

type ErrorTexts = TextFiles['errors'] & Record<ErrorCode, string>;

/** The message of each error code, by language. */
export const ERROR_MESSAGES: Readonly<Record<Language, ErrorTexts>> =
  await loadEveryLanguage('errors');

const MINUTE = 60;

/**
 * Returns the message for `rate_limited`, with the waiting time if it is longer than a minute. It says if others in
 * the user's network may have caused it.
 */
export function rateLimitedMessage(
  language: Language,
  seconds: number,
  limitedBy?: ErrorResponse['limitedBy'],
): string {
  const texts = ERROR_MESSAGES[language];
  const isNetwork = limitedBy === 'network';
  if (seconds <= MINUTE) return isNetwork ? texts.rate_limited_network : texts.rate_limited;
  const key = isNetwork ? 'rate_limited_network_minutes' : 'rate_limited_minutes';
  return fillPlural(language, texts, key, Math.ceil(seconds / MINUTE));
}
