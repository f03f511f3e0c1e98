import type { ErrorCode } from '@parley/contract';
import { fillPlural, loadEveryLanguage, type Language, type TextFiles } from '@parley/texts';

type ErrorTexts = TextFiles['errors'] & Record<ErrorCode, string>;

/** What a user reads of each error, by language. */
export const ERROR_MESSAGES: Readonly<Record<Language, ErrorTexts>> =
  await loadEveryLanguage('errors');

const MINUTE = 60;

/** The text for `rate_limited`, with the wait in minutes where it is more than one. */
export function rateLimitedMessage(language: Language, seconds: number): string {
  const texts = ERROR_MESSAGES[language];
  if (seconds <= MINUTE) return texts.rate_limited;
  return fillPlural(language, texts, 'rate_limited_minutes', Math.ceil(seconds / MINUTE));
}
