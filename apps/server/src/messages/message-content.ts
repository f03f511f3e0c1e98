import { cleanText, contentKind, isSendable } from '@parley/contract';
import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { mediaFile, mediaPrefix } from '../media/media-url.ts';

/** What the sender wants to send. */
export interface ParsedContent {
  text: string;
  /**
   * The file that the text has the URL of. The message is that upload if it is the sender's own and
   * not sent yet, and the text otherwise.
   */
  file: string | undefined;
}

/**
 * Reads the content of a request.
 * @throws {AppError} `invalid_request` for a text that is empty or too long.
 */
export function parseContent(config: Config, content: string): ParsedContent {
  const text = parseText(content);
  const isMedia = contentKind(text, mediaPrefix(config)) !== 'text';
  return { text, file: isMedia ? mediaFile(config, text) : undefined };
}

/**
 * Reads the content of a message that stays a text whatever it says.
 * @throws {AppError} as {@link parseContent}
 */
export function parseText(content: string): string {
  // Half a surrogate pair has no UTF-8: the database would give back another text than was sent.
  const text = cleanText(content.toWellFormed());
  if (!isSendable(text)) throw new AppError('invalid_request');
  return text;
}
