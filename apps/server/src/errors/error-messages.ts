import type { ErrorCode } from '@parley/contract';
import { fillPlural, loadEveryLanguage, type Language, type TextFiles } from '@parley/texts';

type ErrorTexts = TextFiles['errors'] & Record<ErrorCode, string>;

/** The message of each error code, by language. */
export const ERROR_MESSAGES: Readonly<Record<Language, ErrorTexts>> =
  await loadEveryLanguage('errors');

const MINUTE = 60;

/** Returns the message for `rate_limited`, with the waiting time if it is longer than a minute. */
export function rateLimitedMessage(language: Language, seconds: number): string {
  const texts = ERROR_MESSAGES[language];
  if (seconds <= MINUTE) return texts.rate_limited;
  return fillPlural(language, texts, 'rate_limited_minutes', Math.ceil(seconds / MINUTE));
}
